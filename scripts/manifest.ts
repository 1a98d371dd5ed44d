import { copyFileSync, readFileSync, renameSync, writeFileSync } from 'node:fs';

/**
 * `npm pack` publishes package.json without the parts that only a checkout needs, because npm would warn about its
 * scripts. `--restore` restores the file.
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
