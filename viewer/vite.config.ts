import { defineConfig, type Plugin } from "vite";

// One file with everything in it: it is served by the program, and opened by double click with a recording inside.
function oneFile(): Plugin {
  return {
    name: "one-file",
    enforce: "post",
    generateBundle(_options, bundle) {
      const page = bundle["index.html"];
      if (page?.type !== "asset") throw new Error("index.html is missing");
      let html = String(page.source);
      for (const [name, part] of Object.entries(bundle)) {
        if (part === page) continue;
        const file = name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
        if (part.type === "chunk") {
          // "</" ends the element inside strings too; a backslash before the slash changes nothing in JavaScript
          const code = part.code.replace(/<\/(script|body)/gi, "<\\/$1");
          html = html.replace(new RegExp(`<script[^>]*src="[^"]*${file}"[^>]*></script>`), "");
          html = html.replace("</body>", () => `<script type="module">\n${code}\n</script>\n</body>`);
        } else if (name.endsWith(".css")) {
          html = html.replace(new RegExp(`<link[^>]*href="[^"]*${file}"[^>]*>`), () => `<style>\n${String(part.source)}\n</style>`);
        } else {
          throw new Error(`${name}: cannot be put into the page`);
        }
        delete bundle[name];
      }
      if (html.split("</body>").length !== 2) throw new Error("the page must hold </body> once: recordings go before it");
      page.source = html;
    },
  };
}

const program = process.env.SINEW_VIEW ?? "http://127.0.0.1:8642";

export default defineConfig({
  base: "./",
  plugins: [oneFile()],
  build: {
    target: "es2022",
    assetsInlineLimit: 1e8,
    chunkSizeWarningLimit: 8192,
    cssCodeSplit: false,
    modulePreload: false,
    rollupOptions: { output: { inlineDynamicImports: true } },
  },
  server: {
    proxy: {
      "/api": program,
      "/recording.h5": program,
      "/pictures": program,
      "/live": { target: program, ws: true, rewriteWsOrigin: true },
    },
  },
  test: { include: ["test/**/*.test.ts"], css: true }, // css: the style sheet as it is, not an empty one
} as Parameters<typeof defineConfig>[0]);
