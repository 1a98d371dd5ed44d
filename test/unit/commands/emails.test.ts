import { describe, expect, test } from 'vitest';
import { createWorld, type SeenRequest, type World } from '../../support/world.ts';

const SEND = ['emails', 'send', '--from', 'me@example.com', '--to', 'ana@example.org', '--subject', 'Hi'];
const seed = { account: { domains: ['example.com'] } };

/** The messages that were sent. Before the first one svc reads the time of the service (I6). */
function sentBy(world: World): SeenRequest[] {
  return world.requests().filter(({ method }) => method === 'POST');
}

describe('emails send', () => {
  test('emails send sends a message with an idempotency key, keeps no run (M6)', async () => {
    const world = await createWorld({ seed });
    const { code, json, err } = await world.svc([...SEND, '--to', 'bo@example.org', '--text', 'Hello', '--json']);
    expect(code, err).toBe(0);
    expect(json.id).toMatch(/^eml_/);
    const [request] = sentBy(world);
    expect(JSON.parse(request?.body ?? '')).toEqual({
      from: 'me@example.com',
      to: ['ana@example.org', 'bo@example.org'],
      subject: 'Hi',
      text: 'Hello',
    });
    expect(request?.headers['idempotency-key']).toMatch(/^svc1\.email\.[0-9a-f]{24}$/);
    expect((await world.svc('runs ls --json')).json).toEqual([]);
  });

  test('emails send reads HTML and text from a file or from standard input', async () => {
    const world = await createWorld({ seed });
    world.file('m.html', '<p>Zoë</p>');
    await world.svc([...SEND, '--html-file', 'm.html']);
    await world.svc([...SEND, '--text-file', '-'], { stdin: 'piped' });
    expect(sentBy(world).map(({ body }) => [JSON.parse(body).html, JSON.parse(body).text])).toEqual([
      ['<p>Zoë</p>', undefined],
      [undefined, 'piped'],
    ]);
  });

  test.each([
    ['in capital letters', ['bo@example.org', 'Bo@Example.org', 'BO@EXAMPLE.ORG'], ['bo@example.org']],
    ['capital letters first', ['Bo@Example.org', 'bo@example.org'], ['Bo@Example.org']],
    ['with its domain in Punycode', ['bo@bücher.example', 'bo@xn--bcher-kva.example'], ['bo@bücher.example']],
  ])('emails send mails an address once when it is given twice: %s (M6)', async (_, given, expected) => {
    const world = await createWorld({ seed });
    const line = [...SEND, ...given.flatMap((address) => ['--to', address]), '--text', 'a'];
    await world.svc(line);
    expect(JSON.parse(sentBy(world)[0]?.body ?? '').to).toEqual(['ana@example.org', ...expected]);
  });

  test('emails send mails both addresses when the addresses look alike (M6)', async () => {
    const world = await createWorld({ seed });
    await world.svc([...SEND, '--to', 'strasse@example.org', '--to', 'straße@example.org', '--text', 'a']);
    expect(JSON.parse(sentBy(world)[0]?.body ?? '').to).toEqual([
      'ana@example.org',
      'strasse@example.org',
      'straße@example.org',
    ]);
  });

  test('emails send passes on a value that begins with a dash unchanged', async () => {
    const world = await createWorld({ seed });
    const line = [...SEND.slice(0, -1), '-v2 released', '--text', '-yes, really', '--json'];
    expect((await world.svc(line)).code).toBe(0);
    expect(JSON.parse(sentBy(world)[0]?.body ?? '')).toMatchObject({
      subject: '-v2 released',
      text: '-yes, really',
    });
  });

  test.each([
    ['no content', SEND],
    ['two contents', [...SEND, '--text', 'a', '--text-file', '-']],
    ['no recipient', SEND.toSpliced(4, 2).concat('--text', 'a')],
    ['no sender', SEND.toSpliced(2, 2).concat('--text', 'a')],
    ['no subject', SEND.toSpliced(6, 2).concat('--text', 'a')],
    ['no text', [...SEND, '--text', '']],
    ['blanks for a text', [...SEND, '--text', ' \n']],
    ['an empty text on standard input', [...SEND, '--text-file', '-']],
    ['an empty page', [...SEND, '--html-file', '/dev/null']],
    ['two addresses in one flag', [...SEND, '--to', 'a@example.com,b@example.com', '--text', 'a']],
    ['a name with the address', [...SEND, '--to', 'Ana <a@example.com>', '--text', 'a']],
    ['a header in the sender', [...SEND, '--from', 'a@example.com\nBcc: x@example.com', '--text', 'a']],
    ['a missing file', [...SEND, '--html-file', 'nothing.html']],
    [
      '51 recipients',
      [...SEND, '--text', 'a', ...Array.from({ length: 50 }, (_, n) => ['--to', `p${n}@example.com`]).flat()],
    ],
  ])('emails send refuses a message with %s before any request', async (_, line) => {
    const world = await createWorld({ seed });
    const result = await world.svc([...line, '--json']);
    expect([result.code, JSON.parse(result.err).error.exit_code, world.requests()]).toEqual([2, 2, []]);
  });

  test.each([
    ['domain_not_verified', 403, 7, 'verified'],
    ['sandbox_recipient_not_allowed', 403, 7, 'sandbox'],
    ['sending_disabled', 403, 7, 'turned off'],
    ['plan_limit_reached', 403, 7, 'allowance'],
    ['email_suppressed', 400, 7, 'Leave it out'],
    ['insufficient_scope', 403, 4, 'create a new key with it'],
  ])('emails send says what to do when the service refuses with %s', async (code, status, exit, says) => {
    const world = await createWorld({ seed });
    world.emulator.admin.addFault({ kind: 'error', status, code, when: 'effect' });
    const result = await world.svc([...SEND, '--text', 'a', '--json']);
    const { error } = JSON.parse(result.err);
    expect([result.code, error.code, error.hint.includes(says), typeof error.request_id]).toEqual([
      exit,
      code,
      true,
      'string',
    ]);
    expect((await world.svc('runs ls --json')).json).toEqual([]);
  });
});

test.each([
  ['emails send', 'missing: --from, --to, --subject, --text (or --text-file or --html-file)'],
  ['emails send --from me@example.com --to ana@example.org --text a', 'missing: --subject'],
])('names what is missing in %s before it asks for --yes', async (line, missing) => {
  const world = await createWorld();
  const { code, err } = await world.svc(line, { asTyped: true });
  expect([code, err]).toEqual([2, `svc: ${missing}\n  See: svc emails send --help\n`]);
  const whole = [...SEND, '--text', 'a'];
  expect((await world.svc(whole, { asTyped: true })).err).toContain(`Add --yes: svc ${whole.join(' ')} --yes`);
});

describe('emails send after a lost response (I6)', () => {
  const lost = { kind: 'reset', when: 'after', match: { route: 'POST /v1/emails' } } as const;

  test.each([
    ['runs resume', ['runs', 'resume', '--json']],
    ['the same command', [...SEND, '--text', 'a', '--json']],
  ])('repeats a message with the same idempotency key after 20 h, with %s', async (_, again) => {
    const world = await createWorld({ seed });
    world.emulator.admin.addFault(lost);
    const first = await world.svc([...SEND, '--text', 'a']);
    expect([first.code, first.err.includes('svc runs resume run_')]).toEqual([1, true]);
    world.emulator.admin.clearFaults();
    await world.clock.advance(20 * 3_600_000);
    expect((await world.svc(again)).code).toBe(0);
    const posts = sentBy(world);
    expect(new Set(posts.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
    expect((await world.svc('runs ls --json')).json).toEqual([]);
  });

  test.each([
    [403, 'sending_disabled'],
    [403, 'plan_limit_reached'],
    [400, 'email_suppressed'],
  ])("keeps a message's idempotency key when a repeat gets %i %s (I2)", async (status, code) => {
    const world = await createWorld({ seed });
    const route = { route: 'POST /v1/emails' };
    world.emulator.admin.addFault({ ...lost, times: 1 });
    world.emulator.admin.addFault({ kind: 'error', status, code, when: 'before', after: 1, times: 1, match: route });
    const first = await world.svc([...SEND, '--text', 'a', '--json']);
    expect([first.code, JSON.parse(first.err).error.hint]).toEqual([
      1,
      expect.stringContaining('svc runs resume run_'),
    ]);
    await world.clock.advance(3_600_000);
    expect((await world.svc([...SEND, '--text', 'a', '--json'])).code).toBe(0);
    const posts = sentBy(world);
    expect([posts.length, new Set(posts.map(({ headers }) => headers['idempotency-key'])).size]).toEqual([3, 1]);
  });

  test('refuses to send one message again to a person who may have it (M6)', async () => {
    const world = await createWorld({ seed });
    const [head, ana, bo] = [SEND.slice(0, 4), ['--to', 'ana@example.org'], ['--to', 'bo@example.org']];
    const text = ['--subject', 'Hi', '--text', 'a'];
    world.emulator.admin.addFault(lost);
    await world.svc([...head, ...ana, ...bo, ...text]);
    world.emulator.admin.clearFaults();
    world.requests();

    const respelled = [
      [...head, ...bo, ...ana, ...text],
      [...head, ...bo, ...text],
      [...head, '--to', 'cy@example.org', ...ana, ...text],
      [...head, '--to', 'BO@Example.org', ...text],
      ['emails', 'send', '--from', 'Me <me@example.com>', ...ana, ...text],
    ];
    for (const line of respelled) {
      const { code, err } = await world.svc(line);
      expect([code, err]).toEqual([2, expect.stringMatching(/run_\w+ may have sent this message: .*unknown/)]);
    }
    expect(world.requests()).toEqual([]);

    const others = [
      [...head, ...ana, '--subject', 'Hi', '--text', 'b'],
      [...head, ...ana, '--subject', 'Ho', '--text', 'a'],
      [...head, '--to', 'cy@example.org', ...text],
    ];
    for (const line of others) {
      expect(await world.svc(line)).toMatchObject({ code: 0 });
    }
  });

  test('emails send sends nothing again when only its output had failed', async () => {
    const world = await createWorld({ seed });
    const line = [...SEND, '--text', 'a', '--json'];
    const onWrite = () => {
      throw new Error('the terminal is gone');
    };
    expect(await world.svc(line, { onWrite })).toMatchObject({ code: 70 });
    const { code, json } = await world.svc(line);
    expect([code, json.id.slice(0, 4), sentBy(world).length]).toEqual([0, 'eml_', 1]);
    expect((await world.svc('runs ls --json')).json).toEqual([]);
  });

  test('does not repeat a message 24 hours after its lost response', async () => {
    const world = await createWorld({ seed });
    world.emulator.admin.addFault(lost);
    await world.svc([...SEND, '--text', 'a']);
    world.emulator.admin.clearFaults();
    world.requests();
    await world.clock.advance(24 * 3_600_000);
    const { code, err } = await world.svc('runs resume');
    expect([code, sentBy(world)]).toEqual([1, []]);
    expect(err).toContain('too late to repeat the request');
  });

  test("refuses to repeat a message when it is old by the service's clock", async () => {
    const world = await createWorld({ seed });
    world.emulator.admin.addFault(lost);
    await world.svc([...SEND, '--text', 'a']);
    world.emulator.admin.clearFaults();
    world.requests();
    const begunAt = world.clock.now();
    const later = new Date(begunAt + 25 * 3_600_000).toUTCString();
    const { code, err } = await world.svc('runs resume', {
      transport: (inner) => ({
        close: () => inner.close(),
        send: async (request, signal) => {
          const response = await inner.send(request, signal);
          return { ...response, headers: { ...response.headers, date: later } };
        },
      }),
    });
    expect([code, sentBy(world)], err).toEqual([1, []]);
  });
});
