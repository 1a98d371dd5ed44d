#!/usr/bin/env node
import module from 'node:module';

// Written for any Node that knows modules, so that an old one gets a sentence instead of a stack trace.
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 19)) {
  console.error(
    `svc: needs Node 22.19 or newer, and this is ${process.versions.node}. Install a newer Node, or run it as "npx svc".`,
  );
  process.exitCode = 2;
} else {
  module.enableCompileCache?.();
  await import('../dist/main.mjs');
}
