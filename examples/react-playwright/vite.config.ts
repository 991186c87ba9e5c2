import { defineConfig } from 'vite';

const port = Number(process.env.PORT ?? 5173);

export default defineConfig({
  server: { host: 'localhost', port },
  preview: { host: 'localhost', port, strictPort: true },
});
