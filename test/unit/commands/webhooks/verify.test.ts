import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { createWorld } from '../../../support/world.ts';

const NOW = Date.UTC(2026, 0, 1) / 1_000;
const BODY = '{"id":"evt_1","type":"email.sent","data":{"email":"zoë@example.com"}}\n';

function sign(secret: string, t: number | string = NOW, body: string | Buffer = BODY): string {
  return createHmac('sha256', secret).update(`${t}.`).update(body).digest('hex');
}

const good = sign('old');

const VERIFIED = 'verified: the signature matches';
const MALFORMED = 'not verified: the header is not of the form t=<unix seconds>,v1=<hex>';
const NO_MATCH = 'not verified: no v1 matches the raw body under any of the secrets';
const LATE = (time: string) => `not verified: the signature matches, but it was made ${time}`;
const at = (t: number) => `t=${t},v1=${sign('old', t)}`;

/** A header, and what svc prints about it. Each changes one part of what is signed, or is a tolerated variation. */
const HEADERS: readonly (readonly [string, string, string])[] = [
  ['a match', `t=${NOW},v1=${good}`, VERIFIED],
  ['blanks and the name of the header', `Service-Signature: t=${NOW}, v1=${good}`, VERIFIED],
  ['the name of the header in capitals', `SERVICE-SIGNATURE:t=${NOW},v1=${good}`, VERIFIED],
  ['the parts in the other order', `v1=${good},t=${NOW}`, VERIFIED],
  ['the second of two v1', `t=${NOW},v1=${'0'.repeat(64)},v1=${good}`, VERIFIED],
  ['the first of two v1', `t=${NOW},v1=${good},v1=${'0'.repeat(64)}`, VERIFIED],
  ['the new secret of a rotation', `t=${NOW},v1=${sign('new')}`, VERIFIED],
  ['upper-case hex', `t=${NOW},v1=${good.toUpperCase()}`, VERIFIED],
  ['an unknown part beside it', `t=${NOW},v1=${good},v2=later`, VERIFIED],
  ['299 s ago', at(NOW - 299), VERIFIED],
  ['300 s ago', at(NOW - 300), VERIFIED],
  ['300 s ahead', at(NOW + 300), VERIFIED],
  ['301 s ago', at(NOW - 301), LATE('5 min 1 s ago')],
  ['301 s ahead', at(NOW + 301), LATE('5 min 1 s in the future')],
  ['the year 1970', at(0), LATE('20454 d ago')],
  ['another time than was signed', `t=${NOW + 1},v1=${good}`, NO_MATCH],
  ['a time with a leading zero', `t=0${NOW},v1=${good}`, NO_MATCH],
  ['another body', `t=${NOW},v1=${sign('old', NOW, BODY.trim())}`, NO_MATCH],
  [
    'a body without a time before it',
    `t=${NOW},v1=${createHmac('sha256', 'old').update(BODY).digest('hex')}`,
    NO_MATCH,
  ],
  ['a third secret', `t=${NOW},v1=${sign('third')}`, NO_MATCH],
  ['a secret with its line break', `t=${NOW},v1=${sign('old\n')}`, NO_MATCH],
  ['a short v1', `t=${NOW},v1=${good.slice(0, 62)}`, NO_MATCH],
  ['an odd v1', `t=${NOW},v1=${good.slice(0, 63)}`, NO_MATCH],
  ['a long v1', `t=${NOW},v1=${good}00`, NO_MATCH],
  ['an empty v1', `t=${NOW},v1=`, NO_MATCH],
  ['a v1 that is not hex', `t=${NOW},v1=${'é'.repeat(32)}`, NO_MATCH],
  ['a v1 with a last letter that is not hex', `t=${NOW},v1=${good.slice(0, 63)}g`, NO_MATCH],
  ['no v1', `t=${NOW}`, MALFORMED],
  ['another scheme', `t=${NOW},v0=${good}`, MALFORMED],
  ['a scheme in capitals', `t=${NOW},V1=${good}`, MALFORMED],
  ['no t', `v1=${good}`, MALFORMED],
  ['an empty t', `t=,v1=${good}`, MALFORMED],
  ['two t', `t=${NOW},t=${NOW - 1},v1=${good}`, MALFORMED],
  ['the same t twice', `t=${NOW},t=${NOW},v1=${good}`, MALFORMED],
  ['t in words', `t=now,v1=${sign('old', 'now')}`, MALFORMED],
  ['t with a fraction', `t=${NOW}.5,v1=${sign('old', `${NOW}.5`)}`, MALFORMED],
  ['a negative t', `t=-1,v1=${sign('old', -1)}`, MALFORMED],
  ['t in exponents', `t=1e9,v1=${sign('old', '1e9')}`, MALFORMED],
  ['t in milliseconds', `t=${NOW}000,v1=${sign('old', `${NOW}000`)}`, MALFORMED],
  ['parts with semicolons between', `t=${NOW};v1=${good}`, MALFORMED],
  ['nothing', '', MALFORMED],
];

test.each(HEADERS)('webhooks verify checks a signature: %s (W4)', async (_, signature, sentence) => {
  const world = await createWorld();
  world.file('old', 'old\n');
  world.file('new', 'new');
  const flags = ['--secret-file', 'old', '--secret-file', 'new', '--signature', signature];
  const answer = await world.svc(['webhooks', 'verify', ...flags], {
    stdin: BODY,
    env: { SVC_API_KEY: '', SVC_BASE_URL: '' },
  });
  const code = sentence === VERIFIED ? 0 : 3;
  expect([answer.out, answer.err, answer.code, world.requests()]).toEqual([`${sentence}\n`, '', code, []]);
});

test.each([
  ['valid', at(NOW), { verified: true, result: 'verified', age_seconds: 0 }],
  ['301 s old', at(NOW - 301), { verified: false, result: 'out_of_tolerance', age_seconds: 301 }],
  ['301 s in the future', at(NOW + 301), { verified: false, result: 'out_of_tolerance', age_seconds: -301 }],
  ['of another secret', `t=${NOW},v1=${sign('third')}`, { verified: false, result: 'no_match' }],
  ['empty', '', { verified: false, result: 'malformed' }],
])('webhooks verify prints JSON when the signature is %s (W4)', async (_, signature, result) => {
  const world = await createWorld();
  world.file('old', 'old');
  const line = ['webhooks', 'verify', '--secret-file', 'old', '--signature', signature, '--json'];
  expect((await world.svc(line, { stdin: BODY })).json).toEqual({ object: 'signature_check', ...result });
});

test.each([
  [[], '--secret-file is missing'],
  [['--secret-file', 'none'], "--secret-file none can't be read"],
  [['--secret-file', '.'], "--secret-file . can't be read"],
  [['--secret-file', 'blank'], '--secret-file blank is empty'],
  [['--secret-file', 'old', '--secret-file', 'blank'], '--secret-file blank is empty'],
  [['--secret-file', 'old', '--payload', 'none'], "--payload: none can't be read"],
  [['--secret-file', 'old', '--tolerance', '-1'], '--tolerance takes a whole number of at least 0, not "-1"'],
  [['--secret-file', 'old', '--tolerance', 'x'], '--tolerance takes a whole number of at least 0, not "x"'],
])('webhooks verify exits with 2 when it cannot read its input: %j', async (flags, message) => {
  const world = await createWorld();
  world.file('old', 'old');
  world.file('blank', ' \n');
  const answer = await world.svc(['webhooks', 'verify', '--signature', at(NOW), '--json', ...flags], { stdin: BODY });
  expect([answer.code, answer.out, JSON.parse(answer.err).error.message]).toEqual([2, '', message]);
});

test('webhooks verify accepts the signature of any raw bytes (W4)', async () => {
  const world = await createWorld();
  const bytes = Buffer.from([0xff, 0xfe, 0x00, 0x0d, 0x0a, 0xc3]);
  world.file('secret', 's');
  world.file('payload', bytes);
  const signature = `t=${NOW},v1=${sign('s', NOW, bytes)}`;
  const line = ['webhooks', 'verify', '--secret-file', 'secret', '--signature', signature, '--payload', 'payload'];
  expect((await world.svc(line)).code).toBe(0);
});

test('webhooks verify accepts old signatures with --tolerance', async () => {
  const world = await createWorld();
  world.file('secret', 's');
  world.file('empty', '\n');
  const header = `t=${NOW - 900},v1=${sign('s', NOW - 900)}`;
  const verify = (file: string, more: string[]) =>
    world.svc(['webhooks', 'verify', '--secret-file', file, '--signature', header, ...more], { stdin: BODY });
  const codes = [
    (await verify('secret', [])).code,
    (await verify('secret', ['--tolerance', '900'])).code,
    (await verify('empty', [])).code,
  ];
  expect(codes).toEqual([3, 0, 2]);
});
