#!/usr/bin/env node
// Written for any Node that knows modules, so that an old one gets a sentence instead of a stack trace.
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 19)) {
  const { existsSync } = await import('node:fs');
  // Outside a checkout, `npx svc` would install a package of another owner.
  const isCheckout = existsSync(new URL('../node_modules/node', import.meta.url));
  const remedy = isCheckout ? 'Run "npx svc" in the folder of svc' : 'Install one from https://nodejs.org';
  console.error(`svc: needs Node 22.19 or newer, and this is ${process.versions.node}. ${remedy}.`);
  process.exitCode = 2;
} else if (process.argv.length === 3 && process.argv[2] === '--version') {
  // The most usual question of scripts, answered before anything is loaded.
  const manifest = process
    .getBuiltinModule('node:fs')
    .readFileSync(new URL('../package.json', import.meta.url), 'utf8');
  process.stdout.on('error', (error) => {
    // The reader of a pipe may have left. Any other error is reported in the words of src/cli.ts.
    if (error.code !== 'EPIPE') {
      const hint = 'The command did its work; only the printed output is incomplete.';
      console.error(`svc: the output could not be written: ${error.message}\n  ${hint}`);
      process.exitCode = 1;
    }
  });
  process.stdout.write(`${JSON.parse(manifest).version}\n`);
} else {
  process.getBuiltinModule('node:module').enableCompileCache();
  try {
    await import('../dist/main.mjs');
  } catch (error) {
    // The program itself can't be loaded, for example because no more files may be opened. So this file says it.
    if (typeof error?.code !== 'string' || !/^E[A-Z0-9]+$/.test(error.code)) {
      throw error;
    }
    console.error(`svc: can't be loaded, nothing was sent: ${error.message}`);
    process.exitCode = 1;
  }
}
