import { readFileSync } from 'node:fs';
import { defineConfig, type Plugin } from 'vite';

// One script, one style sheet, fixed names: the files are compiled into the program, which says itself how they may be cached.
// For development: `npm run mock` (or a `warpsight serve`) on port 8090, and `npm run dev` beside it.
export default defineConfig({
  plugins: [licenses()],
  base: './',
  esbuild: { jsx: 'automatic', jsxImportSource: 'preact' },
  build: {
    target: 'es2021',
    outDir: 'dist',
    assetsInlineLimit: 0,
    cssCodeSplit: false,
    modulePreload: { polyfill: false },
    rollupOptions: {
      output: { entryFileNames: 'app.js', assetFileNames: (info) => (info.name?.endsWith('.css') ? 'app.css' : '[name][extname]') },
    },
  },
  server: { proxy: { '/api': 'http://127.0.0.1:8090' } },
});

// What is compiled in asks that its licence goes along.
function licenses(): Plugin {
  return {
    name: 'licenses',
    generateBundle() {
      const text = readFileSync(new URL('node_modules/preact/LICENSE', import.meta.url), 'utf8');
      this.emitFile({ type: 'asset', fileName: 'licenses.txt', source: `preact\n\n${text}` });
    },
  };
}
