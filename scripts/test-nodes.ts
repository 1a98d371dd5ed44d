import { spawnSync } from 'node:child_process';

/** The oldest Node that package.json allows, and the newest line. `npm test` runs on the present one. */
const VERSIONS = ['22.19', '26'];

const VITEST = 'node_modules/vitest/vitest.mjs';

const failed = VERSIONS.filter((version) => {
  console.log(`\nNode ${version}`);
  const args = ['--yes', `--package=node@${version}`, '--', 'node', VITEST, 'run', ...process.argv.slice(2)];
  return spawnSync('npx', args, { stdio: 'inherit' }).status !== 0;
});

if (failed.length > 0) {
  console.error(`failed on Node ${failed.join(' and ')}`);
  process.exitCode = 1;
}
