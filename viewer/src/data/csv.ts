// Comma-separated values as `sinew export` writes them: first column t, names in the first line, all digits.

export function toCsv(names: string[], columns: ArrayLike<number>[]): string {
  const lines = [names.map((n) => (/[",\n]/.test(n) ? `"${n.replace(/"/g, '""')}"` : n)).join(",")];
  const n = columns[0]?.length ?? 0;
  for (let i = 0; i < n; i++) lines.push(columns.map((c) => String(c[i])).join(","));
  return lines.join("\n") + "\n";
}
