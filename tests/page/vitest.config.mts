import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    root: import.meta.dirname,
    environment: 'node',
    // these packages are written for bundlers
    server: { deps: { inline: [/@lumino\//] } }
  }
});
