import { copyFileSync, readFileSync, renameSync, writeFileSync } from 'node:fs';

/**
 * `npm pack` publishes package.json without what only a checkout needs: npm would warn about its scripts. `--restore`
 * puts the whole file back.
 */
const CHECKOUT_ONLY = ['scripts', 'devDependencies', 'allowScripts'];

if (process.argv.includes('--restore')) {
  renameSync('package.json.whole', 'package.json');
} else {
  copyFileSync('package.json', 'package.json.whole');
  const manifest: object = JSON.parse(readFileSync('package.json', 'utf8'));
  const published = Object.entries(manifest).filter(([field]) => !CHECKOUT_ONLY.includes(field));
  writeFileSync('package.json', `${JSON.stringify(Object.fromEntries(published), null, 2)}\n`);
}
