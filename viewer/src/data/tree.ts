// Signals as a tree by the dots of their names. A contact's own name has dots and a colon (link1.front:peg.1), so all between
// "contact." and the last known part is one step.
import type { Column } from "./take";

export interface Node {
  label: string;
  column: number; // -1: only a group
  children: Node[];
}

const contact = /^contact\.(.+:.+?)\.((?:normal|push|friction|torque|point|gap|slip|state|count)(?:\..*)?)$/;

export function partsOf(name: string): string[] {
  const match = contact.exec(name);
  return match ? ["contact", match[1]!, ...match[2]!.split(".")] : name.split(".");
}

export function makeTree(columns: Column[]): Node[] {
  const top: Node = { label: "", column: -1, children: [] };
  const groups = new Map<string, Node>([["", top]]);
  columns.forEach((column, i) => {
    let path = "";
    let node = top;
    for (const part of partsOf(column.name)) {
      path += `\u0000${part}`;
      let next = groups.get(path);
      if (!next) {
        next = { label: part, column: -1, children: [] };
        groups.set(path, next);
        node.children.push(next);
      }
      node = next;
    }
    node.column = i;
  });
  return top.children;
}

// Every word must be in the name, the description or the unit in brackets; at most `limit` of them.
export function search(columns: Column[], words: string, limit: number): number[] {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  const found: number[] = [];
  for (let i = 0; i < columns.length && found.length < limit; i++) {
    const c = columns[i]!;
    const text = `${c.name} ${c.description} [${c.unit}]`.toLowerCase();
    if (wanted.every((w) => text.includes(w))) found.push(i);
  }
  return found;
}
