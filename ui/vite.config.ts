import { defineConfig } from 'vite';

// One script, one style sheet, fixed names: the files are compiled into the program, which says itself how they may be cached.
// For development: `npm run mock` (or a `warpsight serve`) on port 8090, and `npm run dev` beside it.
export default defineConfig({
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
