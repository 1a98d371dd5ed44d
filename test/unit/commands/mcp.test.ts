import { mkdirSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createUndiciTransport } from '../../../src/api/http/transport.ts';
import type { ProcessContext } from '../../../src/base/context.ts';
import { createSystemClock } from '../../../src/base/lib/clock.ts';
import { createInterruption } from '../../../src/base/lib/interruption.ts';
import { splitShellText } from '../../../src/base/lib/text.ts';
import { runCli } from '../../../src/cli.ts';
import { createHex, startService } from '../../contract/service.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { type Script, type SeenPost, startEndpoint } from './mcp-endpoint.ts';

const KEY = 'live_key_of_a_test';

describe('mcp ls', () => {
  test('mcp ls lists the tools with all their fields', async () => {
    const { svc } = await startEmulated();
    const { code, json } = await svc(['mcp', 'ls', '--json']);
    expect([code, json.length]).toEqual([0, 13]);
    expect(json[0]).toEqual({
      name: 'service_list_audiences',
      title: 'List audiences',
      description: 'Lists the audiences, newest first.',
      inputSchema: { type: 'object', properties: expect.objectContaining({ limit: expect.anything() }) },
      annotations: { readOnlyHint: true, destructiveHint: false, openWorldHint: false },
    });
  });

  test('mcp ls marks the two tools that send a campaign as destructive', async () => {
    const { svc } = await startEmulated();
    const { out } = await svc(['mcp', 'ls']);
    const rows = out.trimEnd().split('\n');
    expect(rows.filter((row) => row.includes('\tdestructive\t')).map((row) => row.split('\t')[0])).toEqual([
      'service_send_campaign',
      'service_schedule_campaign',
    ]);
  });

  test('mcp ls writes a CSV header and as many tools as --limit says', async () => {
    const { svc } = await startEmulated();
    const { out } = await svc(['mcp', 'ls', '--output', 'csv', '--limit', '2']);
    const lines = out.trimEnd().split('\n');
    expect([lines.length, lines[0]?.split(',')[0], lines[1]?.split(',')[0]]).toEqual([
      3,
      'tool',
      'service_list_audiences',
    ]);
  });

  test('mcp ls keeps unknown fields on all pages (O6)', async () => {
    const pages = [
      { tools: [{ name: 'a', inputSchema: {}, surprise: { deep: [1] } }], nextCursor: 'p2' },
      { tools: [{ name: 'b', annotations: { madeUp: true } }] },
    ];
    const { svc } = await startScripted({
      'tools/list': ({ message }) => pages[message.params.cursor === 'p2' ? 1 : 0],
    });
    const { json } = await svc(['mcp', 'ls', '--json']);
    expect(json).toEqual([
      { name: 'a', inputSchema: {}, surprise: { deep: [1] } },
      { name: 'b', annotations: { madeUp: true } },
    ]);
  });

  test.each(
    (['ls', 'call look'] as const).flatMap((command) =>
      Object.entries(ENDLESS_LISTS).map(([list, [most, page]]) => ({ command, list, most, page })),
    ),
  )('mcp $command ends with an error when a list has $list (L1)', async ({ command, most, page }) => {
    let pages = 0;
    const { svc, seen } = await startScripted({
      'tools/list': () => {
        pages += 1;
        return pages > 200 ? { tools: [] } : page(pages);
      },
    });
    const { code, out, err } = await svc(['mcp', ...command.split(' ')]);
    expect([code, out, err]).toEqual([1, '', expect.stringContaining('the list of tools cannot be read to its end')]);
    expect([pages, methods(seen).includes('tools/call')]).toEqual([most, false]);
  });

  test.each([
    ['one page', [['look']]],
    ['several pages', [['a', 'b'], ['c'], ['look']]],
    ['a page with an old and a new tool', [['a'], ['a', 'look']]],
    ['an empty last page', [['look'], []]],
    ['60 pages', Array.from({ length: 60 }, (_, at) => [`t${at}`])],
  ] as const)('mcp ls reads a list to its end when it has %s', async (_, lists) => {
    let pages = 0;
    const { svc } = await startScripted({
      'tools/list': () => {
        const tools = (lists[pages] ?? []).map((name) => ({ name }));
        pages += 1;
        return pages < lists.length ? { tools, nextCursor: `c${pages}` } : { tools };
      },
    });
    const { code, json } = await svc(['mcp', 'ls', '--json']);
    expect([code, json.map(({ name }: { name: string }) => name)]).toEqual([0, lists.flat()]);
  });

  test('mcp ls -v shows one line for each request, without the key (K1)', async () => {
    const { svc } = await startScripted({});
    const { err } = await svc(['mcp', 'ls', '-v']);
    expect(err.replace(/\d+ ms/g, 'N ms').replace(/^\S+Z /gm, '')).toBe(
      ['200 N ms', '202 N ms', '200 N ms'].map((end) => `POST /some/mcp ${end}\n`).join(''),
    );
  });
});

describe('mcp call', () => {
  test('mcp call prints the result as text, or the complete object', async () => {
    const { svc, audience } = await startEmulated();
    const line = ['mcp', 'call', 'service_get_audience', '--arguments', JSON.stringify({ audience_id: audience })];
    const { out } = await svc(line);
    const { code, json } = await svc([...line, '--json']);
    expect(code).toBe(0);
    expect(out).toBe(`${JSON.stringify(json.structuredContent, undefined, 2)}\n`);
    expect(json.content).toEqual([{ type: 'text', text: JSON.stringify(json.structuredContent) }]);
    expect(json.structuredContent).toMatchObject({ id: audience, contact_counts: { total: 0 } });
  });

  test('mcp call runs a destructive tool only when its name is confirmed', async () => {
    const { svc, emulator, audience } = await startEmulated();
    emulator.admin.addContacts([{ email: 'ana@example.com' }]);
    const draft = { audience_id: audience, from: 'news@example.com', subject: 's', text: 't' };
    const { json } = await svc([
      ...'mcp call service_create_campaign --json --arguments'.split(' '),
      JSON.stringify(draft),
    ]);
    const args = JSON.stringify({ campaign_id: json.structuredContent.id });
    const send = ['mcp', 'call', 'service_send_campaign', '--arguments', args];
    for (const more of [[], ['--yes'], ['--confirm', 'service_schedule_campaign'], ['--confirm', 'yes']]) {
      const refused = await svc([...send, ...more]);
      expect([refused.code, refused.out]).toEqual([2, '']);
      expect(refused.err).toContain(
        `svc mcp call service_send_campaign --arguments '${args}' --confirm service_send_campaign`,
      );
    }
    expect(emulator.admin.account().sent).toBe(0);
    const sent = await svc([...send, '--confirm', 'service_send_campaign', '--json']);
    expect([sent.code, sent.json.structuredContent.status, emulator.admin.account().sent]).toEqual([0, 'sent', 1]);
  });

  test('mcp call prints a command that works for a tool with a dash (K5)', async () => {
    const { svc, seen } = await startScripted({
      'tools/list': () => ({ tools: [{ name: '-wipe', inputSchema: {}, annotations: { destructiveHint: true } }] }),
      'tools/call': () => ({ content: [] }),
    });
    const refused = await svc(['mcp', 'call', '--json', '--arguments', '{"a":1}', '--', '-wipe']);
    const [, line = ''] = /svc (.*)/.exec(JSON.parse(refused.err).error.hint) ?? [];
    expect([refused.code, line]).toEqual([2, `mcp call --arguments '{"a":1}' --confirm=-wipe -- -wipe`]);
    expect((await svc(splitShellText(line))).code).toBe(0);
    expect(seen.at(-1)?.message.params).toMatchObject({ name: '-wipe' });
  });

  test('mcp call refuses an enrollment, and names the command for it (M1)', async () => {
    const { svc, seen } = await startScripted({});
    const args = JSON.stringify({ automation_id: 'aut_1', email: "o'x@example.com", attributes: {} });
    const { code, err } = await svc(['mcp', 'call', 'service_enroll_in_automation', '--arguments', args, '--json']);
    expect([code, seen]).toEqual([5, []]);
    expect(JSON.parse(err).error).toMatchObject({
      code: 'use_automations_enroll',
      hint: `svc automations enroll aut_1 --email 'o'\\''x@example.com'`,
    });
  });

  test.each([
    ['an unknown object', { audience_id: 'aud_x' }, 2, 'not_found'],
    ['an argument of the wrong type', { audience_id: 1 }, 7, 'invalid_request'],
  ])('mcp call exits with the code of the cause when a result is an error: %s', async (_, args, exit, errorCode) => {
    const { svc } = await startEmulated();
    const line = ['mcp', 'call', 'service_get_audience', '--json', '--arguments', JSON.stringify(args)];
    const { code, json, err } = await svc(line);
    expect([code, json.isError]).toEqual([exit, true]);
    expect(JSON.parse(err).error).toMatchObject({ code: errorCode, exit_code: exit, request_id: expect.any(String) });
  });

  test('mcp call exits with 4 when a scope is missing', async () => {
    const { svc, emulator } = await startEmulated();
    const line = 'mcp call service_send_campaign --confirm service_send_campaign --arguments {}'.split(' ');
    const { code, err } = await svc(line, { SVC_API_KEY: emulator.admin.createKey([]) });
    expect([code, err]).toEqual([4, expect.stringContaining('campaigns:send')]);
  });

  test('mcp call prints the text of a tool that fails without an error object', async () => {
    const { svc } = await startScripted({
      'tools/call': () => ({ isError: true, content: [{ type: 'text', text: 'no \u001b[2Jpaper' }] }),
    });
    const { code, err } = await svc(['mcp', 'call', 'look']);
    expect([code, err]).toEqual([7, 'svc: look: no \\u001b[2Jpaper\n']);
    expect(JSON.parse((await svc(['mcp', 'call', 'look', '--json'])).err).error.code).toBe('tool_failed');
  });

  test('mcp call escapes control characters in the text of a tool (K5)', async () => {
    const text = 'two\nlines \u001b]0;x\u0007 \u202egnp.exe';
    const { svc } = await startScripted({
      'tools/list': () => ({ tools: [{ name: 'look', description: '\u001b[31mred' }] }),
      'tools/call': () => ({
        content: [
          { type: 'text', text },
          { type: 'image', mimeType: 'image/png', data: 'AA' },
        ],
      }),
    });
    expect((await svc(['mcp', 'ls'])).out).toBe('look\twrite\t\\u001b[31mred\n');
    expect((await svc(['mcp', 'call', 'look'])).out).toBe(
      'two\nlines \\u001b]0;x\\u0007 \\u202egnp.exe\n[image image/png]\n',
    );
    expect((await svc(['mcp', 'call', 'look', '--json'])).out).not.toMatch(/[\u001b\u0007\u202e]/);
  });

  test.each(['[]', '"a"', 'null', '{', ' '])('mcp call refuses --arguments %s', async (text) => {
    const { svc, seen } = await startScripted({});
    const { code, err } = await svc(['mcp', 'call', 'look', '--json', '--arguments', text]);
    expect([code, JSON.parse(err).error.code, seen]).toEqual([2, 'invalid_arguments', []]);
  });

  test('mcp call lists the tools when the name is unknown', async () => {
    const { svc, seen } = await startScripted({});
    const { code, err } = await svc(['mcp', 'call', 'lok']);
    expect([code, err]).toEqual([2, 'svc: there is no tool lok\n  The tools are look.\n']);
    expect(JSON.parse((await svc(['mcp', 'call', 'lok', '--json'])).err).error.code).toBe('unknown_tool');
    expect(methods(seen)).not.toContain('tools/call');
  });
});

describe('the connection to the MCP endpoint', () => {
  test.each([
    ['a closed connection', (_: unknown, response: { destroy(): void }) => void response.destroy()],
    ['HTML', (_: unknown, response: ScriptResponse) => void response.writeHead(502, HTML).end('<h1>')],
    [
      'one for another request',
      (_: unknown, response: ScriptResponse) =>
        void response.writeHead(200, JSON_TYPE).end('{"jsonrpc":"2.0","id":99,"result":{}}'),
    ],
    [
      'a 503 with an error object',
      (_: unknown, response: ScriptResponse) =>
        void response.writeHead(503, JSON_TYPE).end('{"error":{"code":"unavailable","message":"later"}}'),
    ],
    ['an empty 202', (_: unknown, response: ScriptResponse) => void response.writeHead(202).end()],
  ])('mcp call sends only one request when the response is %s', async (_, play) => {
    const { svc, seen } = await startScripted({ 'tools/call': play as Script[string] });
    const { code, err } = await svc(['mcp', 'call', 'look']);
    expect([code, err]).toEqual([1, expect.stringContaining('It is unknown whether look took effect')]);
    expect(methods(seen).filter((method) => method === 'tools/call')).toHaveLength(1);
  });

  test('mcp call sends no second request after a 429', async () => {
    const body = JSON.stringify({ error: { code: 'rate_limit_exceeded', message: 'slow down', request_id: 'req_1' } });
    const { svc, seen } = await startScripted({
      'tools/call': (_, response) => void response.writeHead(429, { ...JSON_TYPE, 'retry-after': '7' }).end(body),
    });
    const { code, err } = await svc(['mcp', 'call', 'look']);
    expect([code, err]).toEqual([1, expect.stringContaining('Nothing was done. Try again in 7 s.')]);
    expect(methods(seen).filter((method) => method === 'tools/call')).toHaveLength(1);
  });

  test.each([301, 302, 307, 308])('mcp ls follows no redirect, even to the same origin: %d (K3)', async (status) => {
    const { svc, seen } = await startScripted({
      initialize: (_, response) => void response.writeHead(status, { location: '/elsewhere' }).end(),
    });
    const { code, err } = await svc(['mcp', 'ls', '--json']);
    const { error } = JSON.parse(err);
    expect([code, error.code, seen.length]).toEqual([1, 'redirected', 1]);
    expect(error.hint).toBe('svc follows no redirects: check --mcp-url (or SVC_MCP_URL).');
  });

  test.each([301, 302, 307, 308])(
    'mcp call follows no redirect of a tool that may have run: %d (K3)',
    async (status) => {
      const { svc, seen } = await startScripted({
        'tools/call': (_, response) => void response.writeHead(status, { location: '/elsewhere' }).end(),
      });
      const { code, err } = await svc(['mcp', 'call', 'look']);
      expect([code, err]).toEqual([1, expect.stringContaining('It is unknown whether look took effect')]);
      expect(methods(seen).filter((method) => method === 'tools/call')).toHaveLength(1);
      expect(new Set(seen.map(({ url }) => url))).toEqual(new Set(['/some/mcp']));
    },
  );

  test.each([
    ['ls', ['ls'], 2],
    ['call', ['call', 'look'], 3],
  ])('mcp %s repeats session id and protocol version, and ends the session', async (_, words, posts) => {
    const { svc, seen } = await startScripted({
      initialize: ({ message }, response) => {
        const result = { protocolVersion: '2025-06-18', capabilities: {}, serverInfo: { name: 'x', version: '1' } };
        response.writeHead(200, { ...JSON_TYPE, 'mcp-session-id': 's1' });
        response.end(JSON.stringify({ jsonrpc: '2.0', id: message.id, result }));
        return undefined;
      },
    });
    expect((await svc(['mcp', ...words])).code).toBe(0);
    const requests = seen.map(({ method, headers }) => [
      method,
      headers['mcp-session-id'],
      headers['mcp-protocol-version'],
    ]);
    const later = ['s1', '2025-06-18'];
    expect(requests).toEqual([
      ['POST', undefined, undefined],
      ...Array(posts).fill(['POST', ...later]),
      ['DELETE', ...later],
    ]);
    expect(new Set(seen.map(({ headers }) => headers.authorization))).toEqual(new Set([`Bearer ${KEY}`]));
  });

  test('mcp call reads a response from a stream of events', async () => {
    const { svc } = await startScripted({
      'tools/call': ({ message }, response) => {
        const result = JSON.stringify({
          jsonrpc: '2.0',
          id: message.id,
          result: { content: [{ type: 'text', text: 'hi' }] },
        });
        const note = '{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":1}}';
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.end(
          `: hello\n\nid: 1\ndata:\n\nevent: message\ndata: ${note}\n\nevent: message\r\ndata: ${result}\r\n\r\n`,
        );
        return undefined;
      },
    });
    expect(await svc(['mcp', 'call', 'look'])).toMatchObject({ code: 0, out: 'hi\n' });
  });

  test.each([
    ['begins with a byte order mark', (data: string) => `\ufeffdata: ${data}\n\n`],
    ['ends its lines with CR alone', (data: string) => `data: ${data}\r\r`],
    ['cuts the data into lines', (data: string) => `data: ${data.replace(',', ',\ndata:')}\n\n`],
    ['breaks off after the event', (data: string) => `data: ${data}\n\ndata: {"jsonrpc`],
  ])('mcp call reads the result when the stream of events %s', async (_, stream) => {
    const { svc } = await startScripted({ 'tools/call': (post, response) => answerAs(stream, post, response) });
    expect(await svc(['mcp', 'call', 'look'])).toMatchObject({ code: 0, out: 'hi\n' });
  });

  test('reports an unexpected response when an MCP stream ends within an event', async () => {
    const unfinished = (data: string) => `data: ${data}\n`;
    const { svc } = await startScripted({ 'tools/call': (post, response) => answerAs(unfinished, post, response) });
    const { code, err } = await svc(['mcp', 'call', 'look', '--json']);
    expect([code, JSON.parse(err).error.code]).toEqual([1, 'unexpected_answer']);
  });

  const UNKNOWN_EFFECT = 'It is unknown whether look took effect: check before you call it again.';

  test.each([
    ['an error of the protocol', { code: -32602, message: 'bad' }, 2, 'See: svc mcp call --help'],
    ['an unknown method', { code: -32601, message: 'no such method' }, 7, ''],
    ['a failure of the endpoint', { code: -32603, message: 'oops' }, 1, UNKNOWN_EFFECT],
    ['an error of a server', { code: -32000, message: 'lost' }, 1, UNKNOWN_EFFECT],
    ['any other error', { code: 7, message: 'odd' }, 1, UNKNOWN_EFFECT],
  ])('mcp call maps %s to its exit code and hint', async (_, error, exit, hint) => {
    const { svc } = await startScripted({
      'tools/call': ({ message }, response) =>
        void response.writeHead(200, JSON_TYPE).end(JSON.stringify({ jsonrpc: '2.0', id: message.id, error })),
    });
    const result = await svc(['mcp', 'call', 'look', '--json']);
    const printed = JSON.parse(result.err).error;
    expect([result.code, printed.code, printed.hint]).toEqual([exit, 'mcp_error', hint]);
  });

  test.each([
    ['an unknown key', { SVC_API_KEY: 'nobody' }, 'invalid_api_key'],
    ['no key', { SVC_API_KEY: '' }, 'no_api_key'],
    ['a test key', { SVC_API_KEY: 'service_test_1' }, 'test_keys_not_supported'],
  ])('mcp ls and mcp call exit with 4 for %s', async (_, env, errorCode) => {
    const { svc } = await startEmulated();
    for (const words of [['ls'], ['call', 'service_list_audiences']]) {
      const { code, err } = await svc(['mcp', ...words, '--json'], env);
      expect([code, JSON.parse(err).error.code]).toEqual([4, errorCode]);
    }
  });

  test.each([
    ['ls', ['ls'], 'initialize'],
    ['call', ['call', 'look'], 'tools/call'],
  ])('mcp %s exits with 4 for a 401 without an error object', async (_, words, method) => {
    const { svc } = await startScripted({ [method]: (_, response) => void response.writeHead(401).end('who?') });
    expect((await svc(['mcp', ...words])).code).toBe(4);
  });

  test.each([
    ['missing', '', 'no_mcp_url'],
    ['plain http beyond loopback', 'http://mail.example.test/mcp', 'invalid_url'],
    ['one with credentials', 'https://a:b@mail.example.test/mcp', 'invalid_url'],
    ['a text that is no URL', 'mcp', 'invalid_url'],
  ])('mcp ls and mcp call exit with 2 when the MCP URL is %s', async (_, url, errorCode) => {
    for (const words of [['ls'], ['call', 'look']]) {
      const { code, err } = await run(['mcp', ...words, '--json'], { SVC_API_KEY: KEY, SVC_MCP_URL: url });
      expect([code, JSON.parse(err).error.code]).toEqual([2, errorCode]);
    }
  });

  test('names the MCP URL as the setting to check when no program listens there', async () => {
    const url = 'http://127.0.0.1:1/mcp';
    const { code, err } = await run(['mcp', 'ls', '--mcp-url', url], { SVC_API_KEY: KEY });
    expect([code, err.includes('--base-url'), err.includes('--mcp-url (or SVC_MCP_URL)')]).toEqual([1, false, true]);
  });

  test('names the MCP URL as the setting to check when it leads to a web page', async () => {
    const { svc } = await startScripted({
      initialize: (_, response) => void response.writeHead(502, HTML).end('<h1>'),
    });
    const { code, err } = await svc(['mcp', 'ls']);
    expect([code, err.includes('--base-url'), err.includes('--mcp-url (or SVC_MCP_URL)')]).toEqual([1, false, true]);
  });

  test('prefers --mcp-url to the environment, and reads the URL of a profile', async () => {
    const { url } = await startEndpoint({});
    const flag = await run(['mcp', 'ls', '--mcp-url', url], {
      SVC_API_KEY: KEY,
      SVC_MCP_URL: 'https://mail.example.test/',
    });
    const profile = { base_url: new URL(url).origin, mcp_url: url, api_key: KEY };
    expect([flag.code, (await run(['mcp', 'ls'], {}, profile)).code]).toEqual([0, 0]);
  });

  test('sends the key of a profile only to the MCP URL of its origin (K4)', async () => {
    const { url, seen } = await startEndpoint({});
    const profile = { base_url: 'https://mail.example.test', mcp_url: url, api_key: KEY };
    const { code, err } = await run(['mcp', 'ls', '--json'], {}, profile);
    expect([code, JSON.parse(err).error.code, seen]).toEqual([4, 'key_of_another_origin', []]);
  });

  test('mcp call uses the endpoint of --emulator, refuses --mcp-url beside it', async () => {
    const { code, json } = await run(['mcp', 'call', 'service_list_audiences', '--emulator', '--json'], {});
    expect([code, json.structuredContent.data[0].name]).toEqual([0, 'Newsletter']);
    expect((await run(['mcp', 'ls', '--emulator', '--mcp-url', 'https://mail.example.test/mcp'], {})).code).toBe(2);
  });

  test('emulator start prints the MCP URL', async () => {
    const stopped = AbortSignal.abort(createInterruption('SIGTERM'));
    const { json } = await run(['emulator', 'start', '--json'], {}, undefined, stopped);
    expect(json.mcp_url).toBe(`${json.url}/mcp`);
    const { out } = await run(['emulator', 'start'], {}, undefined, stopped);
    expect(out).toMatch(/^ {2}export SVC_MCP_URL=http:\/\/127\.0\.0\.1:\d+\/mcp$/m);
  });

  test('mcp call sends nothing after an interruption', async () => {
    const stop = new AbortController();
    const { url, seen } = await startEndpoint({
      'tools/list': () => {
        stop.abort(createInterruption('SIGINT'));
        return { tools: [{ name: 'look' }] };
      },
    });
    const { code } = await run(['mcp', 'call', 'look'], { SVC_API_KEY: KEY, SVC_MCP_URL: url }, undefined, stop.signal);
    expect([code, methods(seen).includes('tools/call')]).toEqual([130, false]);
  });
});

/** Lists without an end: how many pages svc reads at most, and the page of each number. */
const ENDLESS_LISTS: Readonly<Record<string, readonly [most: number, page: (number: number) => object]>> = {
  'a new cursor on each empty page': [1, (number) => ({ tools: [], nextCursor: `c${number}` })],
  'empty pages after the first': [2, (number) => ({ tools: number > 1 ? [] : [LOOK], nextCursor: `c${number}` })],
  'the same tools on each page': [2, (number) => ({ tools: [LOOK], nextCursor: `c${number}` })],
  'one cursor for all pages': [2, (number) => ({ tools: [LOOK, { name: `t${number}` }], nextCursor: 'same' })],
  'a cursor that is no text': [1, (number) => ({ tools: [LOOK], nextCursor: { number } })],
  'new tools for ever': [100, (number) => ({ tools: [{ name: `t${number}` }], nextCursor: `c${number}` })],
};

const LOOK = { name: 'look' };

const HTML = { 'content-type': 'text/html' };
const JSON_TYPE = { 'content-type': 'application/json' };

type ScriptResponse = Parameters<Script[string]>[1];

interface RunResult {
  readonly code: number;
  readonly out: string;
  readonly err: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into documents of every shape
  readonly json: any;
}

type Env = Readonly<Record<string, string>>;

/** The emulator on a socket, and commands that use it. */
async function startEmulated() {
  const { emulator, url, audience } = await startService();
  const own = { SVC_API_KEY: emulator.apiKey, SVC_MCP_URL: `${url}/mcp` };
  return { emulator, audience, svc: (words: readonly string[], env: Env = {}) => run(words, { ...own, ...env }) };
}

/** A simulated endpoint on a socket, and commands that use it. */
async function startScripted(script: Script) {
  const { url, seen } = await startEndpoint(script);
  const svc = (words: readonly string[]) => run(words, { SVC_API_KEY: KEY, SVC_MCP_URL: url });
  return { svc, seen };
}

function methods(seen: readonly { message?: { method?: string } }[]): (string | undefined)[] {
  return seen.map(({ message }) => message?.method);
}

/** Runs one command in this process over real sockets, without a terminal. */
async function run(
  words: readonly string[],
  env: Env,
  profile?: object,
  signal = new AbortController().signal,
): Promise<RunResult> {
  const folder = tempFolder();
  if (profile) {
    mkdirSync(join(folder, 'svc'));
    writeFileSync(join(folder, 'svc', 'config.json'), JSON.stringify({ profiles: { default: profile } }));
  }
  const texts = { out: '', err: '' };
  const stream = (name: 'out' | 'err') => ({
    isTTY: false,
    columns: undefined,
    write: (text: string) => {
      texts[name] += text;
    },
  });
  const context: ProcessContext = {
    stdout: stream('out'),
    stderr: stream('err'),
    stdin: (async function* () {})(),
    prompter: undefined,
    env: { XDG_STATE_HOME: folder, XDG_CONFIG_HOME: folder, ...env },
    cwd: folder,
    platform: { pid: 1, home: folder, user: undefined },
    clock: createSystemClock(),
    signal,
    randomHex: createHex('mcp'),
    tuneForMuchData: () => undefined,
    onEvent: undefined,
    openTransport: async (options) => createUndiciTransport(options),
  };
  const code = await runCli([...words], context);
  expect(texts.out + texts.err).not.toContain(KEY);
  return {
    code,
    ...texts,
    get json() {
      return JSON.parse(texts.out);
    },
  };
}

/** Responds to a call with the text `hi` in a stream of events, which `frame` writes. */
function answerAs(stream: (data: string) => string, { message }: SeenPost, response: ServerResponse): undefined {
  const result = { content: [{ type: 'text', text: 'hi' }] };
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.end(stream(JSON.stringify({ jsonrpc: '2.0', id: message.id, result })));
}
