import { expect, test } from 'vitest';
import { createWorld, type World } from '../../support/world.ts';

/** Runs `mcp ls` with this URL. `sent` has the URLs of the requests, each once. */
async function listTools(world: World, url: string) {
  const sent = new Set<string>();
  const { code, err } = await world.svc(['mcp', 'ls', '--mcp-url', url], {
    transport: (inner) => ({
      close: () => inner.close(),
      send: (request, signal) => {
        sent.add(request.url.href);
        return inner.send(request, signal);
      },
    }),
  });
  return { code, err, sent: [...sent] };
}

test.each([
  ['https://mail.example.test/mcp', 'https://mail.example.test/mcp'],
  ['HTTPS://Mail.Example.Test/mcp', 'https://mail.example.test/mcp'],
  [' https://mail.example.test/mcp\u00a0', 'https://mail.example.test/mcp'],
  ['https://mail.example.test./mcp', 'https://mail.example.test/mcp'],
  ['https://mail.example.test:8443/mcp', 'https://mail.example.test:8443/mcp'],
  ['http://127.0.0.1:9/mcp', 'http://127.0.0.1:9/mcp'],
  ['http://[::1]/mcp', 'http://[::1]/mcp'],
  ['http://localhost./mcp', 'http://localhost/mcp'],
])('sends MCP requests to the normal form of the URL %j', async (url, meant) => {
  expect(await listTools(await createWorld(), url)).toEqual({ code: 0, err: '', sent: [meant] });
});

const NO_EXTRAS = ['an MCP URL holds no credentials and no fragment', 'use https://mail.example.test/mcp'] as const;

test.each([
  ['https://me@mail.example.test/mcp', ...NO_EXTRAS],
  ['https://:secret@mail.example.test/mcp', ...NO_EXTRAS],
  ['https://me:secret@mail.example.test/mcp', ...NO_EXTRAS],
  ['https://mail.example.test/mcp#tools', ...NO_EXTRAS],
  [
    'http://mail.example.test/mcp',
    'plain http is for loopback only: http://mail.example.test/mcp',
    'use https://mail.example.test/mcp',
  ],
  ['mail.example.test/mcp', 'not an MCP URL: mail.example.test/mcp', 'give it as https://host/path'],
  ['ftp://mail.example.test/mcp', 'not an MCP URL: ftp://mail.example.test/mcp', 'give it as https://host/path'],
])('refuses the MCP URL %s, and says which form is right', async (url, message, hint) => {
  const err = `svc: --mcp-url: ${message}\n  ${hint}\n`;
  expect(await listTools(await createWorld(), url)).toEqual({ code: 2, err, sent: [] });
});

test('says how to set the MCP URL when none is set', async () => {
  const { code, err } = await (await createWorld()).svc('mcp ls');
  expect([code, err]).toEqual([
    2,
    'svc: no MCP URL is set\n  Give --mcp-url https://…, or set SVC_MCP_URL. To rehearse without an account:\n  svc mcp ls --emulator\n',
  ]);
});
