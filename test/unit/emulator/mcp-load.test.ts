import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';

const SCRIPT = `
import { registerHooks } from 'node:module';
let loaded = 0;
registerHooks({ resolve(name, context, next) {
  loaded += name.startsWith('@modelcontextprotocol/') ? 1 : 0;
  return next(name, context);
} });
const { createEmulator } = await import('./src/emulator/emulator.ts');
const { createSystemClock } = await import('./src/base/lib/clock.ts');
const emulator = await createEmulator({ clock: createSystemClock(), randomHex: (length) => 'a'.repeat(length) });
const { url, mcpUrl } = await emulator.listen(0);
const headers = { authorization: 'Bearer ' + emulator.apiKey, accept: 'application/json, text/event-stream' };
await fetch(url + '/v1/audiences', { headers });
await fetch(mcpUrl, { headers });
const before = loaded;
const body = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}';
const { status } = await fetch(mcpUrl, { method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body });
console.log(JSON.stringify({ before, after: loaded > 0, status }));
await emulator.close();
`;

describe('the emulator', () => {
  test('the emulator loads the MCP SDK with the first MCP request only', () => {
    const root = new URL('../../..', import.meta.url);
    const out = execFileSync(process.execPath, ['--input-type=module', '--eval', SCRIPT], {
      cwd: root,
      encoding: 'utf8',
    });
    expect(JSON.parse(out)).toEqual({ before: 0, after: true, status: 200 });
  });
});
