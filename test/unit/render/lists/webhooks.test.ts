import { expect, test } from 'vitest';
import { deliveriesTable } from '../../../../src/render/lists/deliveries.ts';
import { endpointsTable, endpointText, healthSentence, sortByHealth } from '../../../../src/render/lists/webhooks.ts';
import { createCsvStyle, createStyle } from '../../../../src/render/text/style.ts';
import { createVirtualScreen } from '../virtual-screen.ts';

const NOW = Date.parse('2026-01-02T12:00:00.000Z');
const T = '2026-01-02T10:00:00.000Z';

const healthy = {
  id: 'whe_0000000001c66f2bcb',
  object: 'webhook_endpoint',
  url: 'https://hooks.example.com/in',
  description: '',
  events: ['email.bounced', 'email.complained'],
  status: 'active',
  consecutive_failures: 0,
  last_success_at: T,
  last_failure_at: null,
  last_error: null,
  created_at: T,
} as const;
const failing = {
  ...healthy,
  id: 'whe_0000000002c66f2bcb',
  url: 'https://hooks.example.com/a/long/way/to/go/until/the/end',
  consecutive_failures: 8,
  last_failure_at: '2026-01-02T11:59:54.000Z',
  last_error: 'HTTP 400',
};
const disabled = {
  ...failing,
  id: 'whe_0000000003c66f2bcb',
  url: 'https://old.example.com/very/dead',
  status: 'disabled',
  consecutive_failures: 10,
  last_success_at: null,
  last_error: 'ECONNREFUSED',
};
const unused = { ...healthy, id: 'whe_0000000004c66f2bcb', last_success_at: null };
const ALL = [healthy, unused, disabled, failing];

async function onScreen(columns: number, text: string): Promise<string[]> {
  const screen = createVirtualScreen(columns);
  screen.write(text);
  return (await screen.text()).split('\n');
}

test.each([
  [
    50,
    [
      'STATUS    URL              FAILS  LAST ERROR',
      'FAILING   hooks.examp…end      8  HTTP 400, 6 s a…',
      'DISABLED  old.example…ead     10  ECONNREFUSED, 6…',
      'unused    hooks.examp…/in      0  –',
      'ok        hooks.examp…/in      0  –',
    ],
  ],
  [
    80,
    [
      'STATUS    URL                              FAILS  LAST OK  LAST ERROR',
      'FAILING   hooks.example.com/…/end              8  2 h ago  HTTP 400, 6 s ago',
      'DISABLED  old.example.com/very/dead           10  never    ECONNREFUSED, 6 s ago',
      'unused    hooks.example.com/in                 0  never    –',
      'ok        hooks.example.com/in                 0  2 h ago  –',
    ],
  ],
  [
    120,
    [
      'STATUS    URL                                              FAILS  LAST OK  LAST ERROR             ID',
      'FAILING   hooks.example.com/…/end                              8  2 h ago  HTTP 400, 6 s ago      whe_0000000002c66f2bcb',
      'DISABLED  old.example.com/very/dead                           10  never    ECONNREFUSED, 6 s ago  whe_0000000003c66f2bcb',
      'unused    hooks.example.com/in                                 0  never    –                      whe_0000000004c66f2bcb',
      'ok        hooks.example.com/in                                 0  2 h ago  –                      whe_0000000001c66f2bcb',
    ],
  ],
])('the list of webhook endpoints begins with the worst, on %i columns', async (columns, lines) => {
  const text = endpointsTable(sortByHealth(ALL), NOW, createStyle(false, columns));
  expect(await onScreen(columns, text)).toEqual(lines);
});

test.each([
  { endpoints: [], sentence: '0 endpoints' },
  { endpoints: [healthy], sentence: '1 endpoint: ok' },
  { endpoints: [healthy, healthy], sentence: '2 endpoints: all ok' },
  { endpoints: [failing, disabled], sentence: '2 endpoints: 1 failing, 1 disabled' },
  { endpoints: ALL, sentence: '4 endpoints: 1 failing, 1 disabled, 1 unused, 1 ok' },
])('the list of webhook endpoints ends with their health: "$sentence"', ({ endpoints, sentence }) => {
  expect(healthSentence(sortByHealth(endpoints))).toBe(sentence);
});

test.each([
  { title: 'unused', endpoint: unused, code: 2, word: 'unused' },
  { title: 'healthy', endpoint: healthy, code: 32, word: 'ok' },
  { title: 'failing', endpoint: { ...failing, consecutive_failures: 6 }, code: 33, word: 'FAILING' },
  { title: 'losing deliveries', endpoint: { ...failing, consecutive_failures: 7 }, code: 31, word: 'FAILING' },
])('the status of a webhook endpoint has color $code when it is $title', ({ endpoint, code, word }) => {
  expect(endpointsTable([endpoint], NOW, createStyle(true, 200))).toContain(`\u001b[${code}m${word}\u001b[`);
});

test('webhook endpoints in a pipe and CSV have the documented column order', () => {
  const row = [
    failing.id,
    failing.url,
    'active',
    'email.bounced,email.complained',
    '8',
    T,
    '2026-01-02T11:59:54.000Z',
    'HTTP 400',
  ];
  expect(endpointsTable([failing], NOW, createStyle(false))).toBe(`${row.join('\t')}\n`);
  expect(endpointsTable([], NOW, createCsvStyle(true))).toBe(
    'id,url,status,events,consecutive_failures,last_success_at,last_failure_at,last_error\n',
  );
});

test.each([
  [
    50,
    [
      'This endpoint is failing: 8 failures in a row, the',
      'last 6 s ago (HTTP 400).',
      '  id                 whe_0000000002c66f2bcb',
      '  url                https://hooks.example.com/a/l',
      'ong/way/to/go/until/the/end',
      '  description        –',
      '  events             email.bounced,',
      '                     email.complained',
      '  status             active',
      '  failures in a row  8',
      '  last success       2 h ago',
      '                     (2026-01-02T10:00:00.000Z)',
      '  last failure       6 s ago',
      '                     (2026-01-02T11:59:54.000Z)',
      '  last error         HTTP 400',
      '  created            2 h ago',
      '                     (2026-01-02T10:00:00.000Z)',
    ],
  ],
  [
    80,
    [
      'This endpoint is failing: 8 failures in a row, the last 6 s ago (HTTP 400).',
      '  id                 whe_0000000002c66f2bcb',
      '  url                https://hooks.example.com/a/long/way/to/go/until/the/end',
      '  description        –',
      '  events             email.bounced, email.complained',
      '  status             active',
      '  failures in a row  8',
      '  last success       2 h ago (2026-01-02T10:00:00.000Z)',
      '  last failure       6 s ago (2026-01-02T11:59:54.000Z)',
      '  last error         HTTP 400',
      '  created            2 h ago (2026-01-02T10:00:00.000Z)',
    ],
  ],
  [
    120,
    [
      'This endpoint is failing: 8 failures in a row, the last 6 s ago (HTTP 400).',
      '  id                 whe_0000000002c66f2bcb',
      '  url                https://hooks.example.com/a/long/way/to/go/until/the/end',
      '  description        –',
      '  events             email.bounced, email.complained',
      '  status             active',
      '  failures in a row  8',
      '  last success       2 h ago (2026-01-02T10:00:00.000Z)',
      '  last failure       6 s ago (2026-01-02T11:59:54.000Z)',
      '  last error         HTTP 400',
      '  created            2 h ago (2026-01-02T10:00:00.000Z)',
    ],
  ],
])('describes one webhook endpoint when the terminal has %i columns', async (columns, lines) => {
  expect(await onScreen(columns, endpointText(failing, NOW, createStyle(false, columns)))).toEqual(lines);
});

const delivery = {
  id: 'whd_0000000001c66f2bcb',
  object: 'webhook_delivery',
  endpoint_id: 'whe_1',
  event_id: 'evt_1',
  event_type: 'email.bounced',
  status: 'retrying',
  attempt: 2,
  response_status: 503,
  error: 'HTTP 503',
  duration_ms: 120,
  next_attempt_at: '2026-01-02T12:02:00.000Z',
  delivered_at: null,
  created_at: T,
} as const;

test.each([
  [50, ['STATUS    EVENT          CREATED  ERROR', 'retrying  email.bounced  2 h ago  HTTP 503']],
  [
    80,
    [
      'STATUS    EVENT          CREATED  ERROR     ATTEMPT  ID',
      'retrying  email.bounced  2 h ago  HTTP 503        2  whd_0000000001c66f2bcb',
    ],
  ],
  [
    120,
    [
      'STATUS    EVENT          CREATED  ERROR     ATTEMPT  NEXT ATTEMPT  ANSWER   MS  ID',
      'retrying  email.bounced  2 h ago  HTTP 503        2  in 2 min         503  120  whd_0000000001c66f2bcb',
    ],
  ],
])('shows webhook deliveries with the status first, on %i columns', async (columns, lines) => {
  expect(await onScreen(columns, deliveriesTable([delivery], NOW, createStyle(false, columns)))).toEqual(lines);
});

test('webhook deliveries in a pipe have the documented column order', () => {
  expect(deliveriesTable([delivery], NOW, createStyle(false))).toBe(
    `${delivery.id}\t${T}\temail.bounced\tretrying\t2\t503\t120\t2026-01-02T12:02:00.000Z\tHTTP 503\n`,
  );
});

test.each([
  ['https://hooks.example.com/a/long/way/to/the/end', 'hooks.example.com/…/end'],
  ['http://127.0.0.1:39517/a/long/way/to/the/end', 'http://127.0.0.1:39517/…/end'],
  ['https://hooks.example.com/x?token=1234567890123456789', 'hooks.example.com/x?tok…23456789'],
])('a narrow column shortens the middle of the URL %s', (url, shown) => {
  const text = endpointsTable([{ ...failing, url }], NOW, createStyle(false, 76));
  expect(text.split('\n')[1]?.split(/ +/)[1]).toBe(shown);
});
