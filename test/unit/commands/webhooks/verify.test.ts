import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { createWorld } from '../../../support/world.ts';

const NOW = Date.UTC(2026, 0, 1) / 1_000;
const BODY = '{"id":"evt_1","type":"email.sent","data":{"email":"zoë@example.com"}}\n';

function sign(secret: string, t: number | string = NOW, body: string | Buffer = BODY): string {
  return createHmac('sha256', secret).update(`${t}.`).update(body).digest('hex');
}

const good = sign('old');

test.each([
  ['a match', `t=${NOW},v1=${good}`, 0],
  ['blanks and the name of the header', `Service-Signature: t=${NOW}, v1=${good}`, 0],
  ['the second of two v1', `t=${NOW},v1=${'0'.repeat(64)},v1=${good}`, 0],
  ['the new secret of a rotation', `t=${NOW},v1=${sign('new')}`, 0],
  ['upper-case hex', `t=${NOW},v1=${good.toUpperCase()}`, 0],
  ['299 s ago', `t=${NOW - 299},v1=${sign('old', NOW - 299)}`, 0],
  ['299 s ahead', `t=${NOW + 299},v1=${sign('old', NOW + 299)}`, 0],
  ['301 s ago', `t=${NOW - 301},v1=${sign('old', NOW - 301)}`, 3],
  ['301 s ahead', `t=${NOW + 301},v1=${sign('old', NOW + 301)}`, 3],
  ['another time than was signed', `t=${NOW + 1},v1=${good}`, 3],
  ['a third secret', `t=${NOW},v1=${sign('third')}`, 3],
  ['a short v1', `t=${NOW},v1=${good.slice(0, 62)}`, 3],
  ['an odd v1', `t=${NOW},v1=${good.slice(0, 63)}`, 3],
  ['a long v1', `t=${NOW},v1=${good}00`, 3],
  ['a v1 that is not hex', `t=${NOW},v1=${'é'.repeat(32)}`, 3],
  ['no v1', `t=${NOW}`, 3],
  ['another scheme', `t=${NOW},v0=${good}`, 3],
  ['no t', `v1=${good}`, 3],
  ['two t', `t=${NOW},t=${NOW - 1},v1=${good}`, 3],
  ['t in words', `t=now,v1=${sign('old', 'now')}`, 3],
  ['t with a fraction', `t=${NOW}.5,v1=${sign('old', `${NOW}.5`)}`, 3],
  ['nothing', '', 3],
])('checks signatures: %s (W4)', async (_, signature, code) => {
  const world = await createWorld();
  world.file('old', 'old\n');
  world.file('new', 'new');
  const line = [
    'webhooks',
    'verify',
    '--secret-file',
    'old',
    '--secret-file',
    'new',
    '--signature',
    signature,
    '--json',
  ];
  const answer = await world.svc(line, { stdin: BODY, env: { SVC_API_KEY: '', SVC_BASE_URL: '' } });
  expect([answer.code, answer.json.verified, world.requests()]).toEqual([code, code === 0, []]);
});

test('verifies any raw bytes (W4)', async () => {
  const world = await createWorld();
  const bytes = Buffer.from([0xff, 0xfe, 0x00, 0x0d, 0x0a, 0xc3]);
  world.file('secret', 's');
  world.file('payload', bytes);
  const signature = `t=${NOW},v1=${sign('s', NOW, bytes)}`;
  const line = ['webhooks', 'verify', '--secret-file', 'secret', '--signature', signature, '--payload', 'payload'];
  expect((await world.svc(line)).code).toBe(0);
});

test('widens the window with --tolerance and refuses an empty secret', async () => {
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
