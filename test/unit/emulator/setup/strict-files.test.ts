import { describe, expect, test } from 'vitest';
import { createEmulator, type EmulatorOptions } from '../../../../src/emulator/emulator.ts';
import { createHex, startService } from '../../../contract/service.ts';
import { createManualClock } from '../../../support/manual-clock.ts';

/** The error message of the emulator about a file. Undefined if it accepts the file. */
async function problemOf(options: Pick<EmulatorOptions, 'faults' | 'seed'>): Promise<string | undefined> {
  try {
    const emulator = await createEmulator({ clock: createManualClock(), randomHex: createHex('files'), ...options });
    await emulator.close();
    return undefined;
  } catch (error) {
    expect(error).toMatchObject({ exit: 2 });
    return (error as Error).message;
  }
}

describe('the files of --faults and --seed of the emulator', () => {
  test.each([
    { faults: [{ kind: 'reset' }], says: '[0].when is missing' },
    { faults: { rules: [{ kind: 'cut' }, { kind: 'reste' }] }, says: 'rules[1].kind: unknown kind of fault: reste' },
    { faults: { rule: [] }, says: 'rules is missing' },
    { faults: { rules: [], sead: 1 }, says: 'sead is not a known field (known: seed, rules)' },
    { faults: { seed: '1', rules: [] }, says: 'seed must be a whole number of at least 0' },
    { faults: { seed: -1.5, rules: [] }, says: 'seed must be a whole number of at least 0' },
    { faults: [{ kind: 'cut', time: 1 }], says: '[0].time is not a known field' },
    { faults: [{ kind: 'cut', times: '1' }], says: '[0].times must be a whole number of at least 0' },
    { faults: [{ kind: 'cut', probability: 2 }], says: '[0].probability must be a number from 0 to 1' },
    {
      faults: [{ kind: 'cut', match: { route: 'GET v1/audiences' } }],
      says: '[0].match.route must be a method and a path',
    },
    {
      faults: [{ kind: 'headers', headers: { 'a\nb': 'c' } }],
      says: '[0].headers: "a\\nb" is not a valid header name',
    },
    {
      faults: [{ kind: 'headers', headers: { a: 'b\nc' } }],
      says: '[0].headers.a must be a string that a header can hold',
    },
    {
      faults: [{ kind: 'headers', headers: { Date: 'a', date: null } }],
      says: '[0].headers: "date" is there twice: capitals do not count',
    },
    ...['Content-Length', 'Transfer-Encoding', 'trailer'].map((name) => ({
      faults: [{ kind: 'headers', headers: { [name]: '5' } }],
      says: `[0].headers: ${name.toLowerCase()} can't be set`,
    })),
    {
      faults: [{ kind: 'cut', match: { path: '*' } }],
      says: '[0].match.path is not a known field (known: route, key)',
    },
    { faults: [{ kind: 'slow', ms: 5, when: 'during' }], says: '[0].when must be one of before, claimed, after' },
    { faults: [{ kind: 'html', status: 42, when: 'after' }], says: '[0].status must be an HTTP status' },
    { faults: [{ kind: 'headers', headers: { date: 5 } }], says: '[0].headers.date must be a string' },
    {
      faults: [{ kind: 'change', when: 'after', automation: { id: 'a', status: 'on' } }],
      says: '[0].automation.status must',
    },
    {
      faults: [{ kind: 'change', when: 'after', automation: { id: 'aut_x', status: 'paused' } }],
      says: '[0].automation.id names no automation',
    },
    { faults: 'reset', says: 'it must be an object' },
    { faults: null, says: 'it must be an object' },
    { faults: [{ kind: 'cut' }, null], says: '[1] must be an object' },
    { faults: { rules: [5] }, says: 'rules[0] must be an object' },
    { faults: [{ kind: { toString: 1 } }], says: '[0].kind: unknown kind of fault: {"toString":1}' },
    {
      faults: [{ kind: 'rate_limited', retry_after: 'a\r\nb: c' }],
      says: '[0].retry_after must be a string that a header',
    },
    {
      faults: [{ kind: 'slow', ms: Number.POSITIVE_INFINITY, when: 'after' }],
      says: '[0].ms must be a number of at least 0',
    },
    {
      faults: [{ kind: 'in_flight', seconds: Number.POSITIVE_INFINITY }],
      says: '[0].seconds must be a number of at least 0',
    },
    {
      faults: [{ kind: 'answer', status: 200, body: {}, text: '', when: 'after' }],
      says: "[0].text can't stand beside body; choose one",
    },
    {
      faults: [{ kind: 'cut', match: { route: 'GET /v1/audiences?limit=1' } }],
      says: '[0].match.route must be a method',
    },
    { faults: [{ kind: 'cut', match: { route: 'GET /v1/audiences/{id}' } }], says: '[0].match.route must be a method' },
  ])('the emulator refuses an invalid file for --faults: $says', async ({ faults, says }) => {
    expect(await problemOf({ faults: faults as never })).toContain(`the fault rules can't be used: ${says}`);
  });

  test.each([
    { seed: { contact: [] }, says: 'contact is not a known field (known: account, audiences, contacts' },
    { seed: { contacts: [{ mail: 'a@example.com' }] }, says: 'contacts[0].email is missing' },
    { seed: { contacts: [{ email: 'ana' }] }, says: 'contacts[0].email must be an email address' },
    { seed: { contacts: [{ email: 'a@example.com', status: 'left' }] }, says: 'contacts[0].status must be one of' },
    {
      seed: { contacts: [{ email: 'a@example.com', attributes: { n: 1 } }] },
      says: 'contacts[0].attributes.n must be a string',
    },
    {
      seed: { audiences: [{ name: 'A', contacts: [{ email: 'a@example.com', unsubscribed_at: '2020' }] }] },
      says: 'audiences[0].contacts[0].unsubscribed_at must be a whole number',
    },
    { seed: { suppressions: { bounce: [] } }, says: 'suppressions.bounce is not a known field' },
    { seed: { suppressions: { bounced: ['x'] } }, says: 'suppressions.bounced[0] must be an email address' },
    { seed: { account: { sending_disabled: true } }, says: 'account.sending_disabled is not a known field' },
    { seed: { automations: [{ status: 'on' }] }, says: 'automations[0].status must be one of draft, active' },
    { seed: { automations: [{ audience: 'A' }] }, says: 'automations[0].audience must be a name from audiences' },
    { seed: [], says: 'it must be an object' },
    { seed: null, says: 'it must be an object' },
    {
      seed: { contacts: [{ email: 'a@example.com', status: 'unsubscribed', unsubscribed_at: 9e15 }] },
      says: 'contacts[0].unsubscribed_at must be a whole number of milliseconds, from 1970 to 9999',
    },
    {
      seed: { contacts: [{ email: 'a@example.com', unsubscribed_at: 1 }] },
      says: 'contacts[0].unsubscribed_at needs the status unsubscribed',
    },
    {
      seed: { contacts: [{ email: 'a@example.com', attributes: { 'Last Name': 'B' } }] },
      says: 'contacts[0].attributes.Last Name is not a valid attribute key',
    },
    {
      seed: { contacts: [{ email: 'a@example.com', attributes: { Plan: 'a', ' plan ': 'b' } }] },
      says: 'contacts[0].attributes. plan  is there twice: both keys become plan',
    },
    {
      seed: { automations: [{ entryFilter: { '?': 'a' } }] },
      says: 'automations[0].entryFilter.? is not a valid attribute key',
    },
    {
      seed: { contacts: [{ email: 'a@example.com' }, { email: ' A@Example.com' }] },
      says: 'contacts[1].email repeats an earlier address',
    },
    {
      seed: { audiences: [{ name: 'A', contacts: [{ email: 'a@example.com' }, { email: 'a@example.com' }] }] },
      says: 'audiences[0].contacts[1].email repeats an earlier address',
    },
    {
      seed: { suppressions: { bounced: ['a@example.com'], complained: ['b@example.com', 'A@example.com'] } },
      says: 'suppressions.complained[1] repeats an earlier address',
    },
    { seed: { audiences: [{ name: '' }] }, says: 'audiences[0].name must be a string of 1 to 100 characters' },
    { seed: { audiences: [{ name: 'x'.repeat(101) }] }, says: 'audiences[0].name must be a string of 1 to 100' },
    {
      seed: { audiences: [{ name: 'A' }, { name: 'A' }], automations: [{ audience: 'A' }] },
      says: 'automations[0].audience must be the name of one audience only',
    },
    { seed: { account: { members: ['no address'] } }, says: 'account.members[0] must be an email address' },
    { seed: { account: { domains: [''] } }, says: 'account.domains[0] must be a domain, or *' },
  ])('the emulator refuses an invalid file for --seed: $says', async ({ seed, says }) => {
    expect(await problemOf({ seed: seed as never })).toContain(`the emulator's seed can't be used: ${says}`);
  });

  test.each([
    'POST /v1/audience',
    'PUT *',
    'GET /v1/contacts/*',
    'POST /v1/automations/a/b/enroll',
    'POST *enrol',
    'POST /mcp/',
  ])('the emulator refuses a fault when its route %s matches no endpoint', async (route) => {
    const says = `[0].match.route matches no endpoint of the emulator: ${JSON.stringify(route)}`;
    expect(await problemOf({ faults: [{ kind: 'cut', match: { route } }] })).toContain(says);
    const answer = { kind: 'answer', status: 200, body: {}, when: 'before', match: { route } } as const;
    expect(await problemOf({ faults: [answer] })).toBeUndefined();
  });

  test.each([
    '*',
    'DELETE *',
    '*batch',
    'POST *contacts/batch',
    'POST /v1/*/batch',
    'GET */deliveries',
    'GET /v1/audiences/aud_1/contacts/*',
    'POST /v1/automations/*/enroll',
    'GET /v1/webhooks/*',
    'POST /mcp',
  ])('the emulator accepts a scripted fault for the route %s', async (route) => {
    expect(await problemOf({ faults: [{ kind: 'cut', match: { route } }] })).toBeUndefined();
  });

  test('the emulator accepts a list as the body of a fault', async () => {
    const faults = [{ kind: 'answer', status: 200, body: [1], when: 'after' }] as const;
    expect(await problemOf({ faults })).toBeUndefined();
  });

  test('the emulator accepts audiences that share a name or a person', async () => {
    const person = { email: 'b@example.com' };
    const audiences = [{ name: 'Twice' }, { name: 'Twice' }, { name: 'Other', contacts: [person] }];
    const automations = [{ audience: 'Other', entryFilter: {} }];
    const seed = { account: { allowance: null }, contacts: [person], audiences, automations };
    expect(await problemOf({ seed })).toBeUndefined();
  });

  const CUT = { kind: 'cut' };

  test.each([
    { body: { rules: [CUT, { kind: 'slow' }] }, says: 'rules[1].ms is missing' },
    { body: [CUT, { kind: 'reste' }], says: 'rules[1].kind: unknown kind of fault: reste' },
    { body: { rules: [CUT], sead: 1 }, says: 'sead is not a known field (known: seed, rules)' },
    { body: { seed: 1 }, says: 'rules is missing' },
    {
      body: { rules: [CUT, { kind: 'change', when: 'after', automation: { id: 'aut_x', status: 'paused' } }] },
      says: 'rules[1].automation.id names no automation',
    },
  ])('the admin API adds no fault of a body when one is invalid: $says', async ({ body, says }) => {
    const { ask, emulator } = await startService();
    const { status, json } = await ask('POST', '/_emulator/faults', { body });
    expect(status).toBe(400);
    expect(json.error.message).toContain(`the fault rules can't be used: ${says}`);
    expect(emulator.admin.faults()).toEqual([]);
  });

  test('the admin API accepts one fault, a list of faults or a whole file', async () => {
    const { ask, emulator } = await startService();
    for (const body of [CUT, [CUT, CUT], { seed: 7, rules: [CUT] }]) {
      expect((await ask('POST', '/_emulator/faults', { body })).status).toBe(200);
    }
    expect(emulator.admin.faults()).toHaveLength(4);
  });

  test('the emulator repeats random faults when the admin API gets the same seed', async () => {
    const statuses = async () => {
      const { ask } = await startService();
      const rules = [{ kind: 'html', status: 502, when: 'before', probability: 0.5 }];
      const run: number[] = [];
      for (const seed of [undefined, 7, 7]) {
        await ask('DELETE', '/_emulator/faults');
        await ask('POST', '/_emulator/faults', { body: { rules, seed } });
        for (let request = 0; request < 16; request += 1) {
          run.push((await ask('GET', '/v1/audiences')).status);
        }
      }
      return run;
    };
    const run = await statuses();
    expect(run.slice(16, 32)).toEqual(run.slice(32));
    expect(run.slice(0, 16)).not.toEqual(run.slice(32));
  });

  test('the admin API names the wrong field of a single fault', async () => {
    const { ask } = await startService();
    const { status, json } = await ask('POST', '/_emulator/faults', { body: { kind: 'steal', requests: 'all' } });
    expect([status, json.error.message]).toEqual([
      400,
      "the fault rules can't be used: requests must be a whole number of at least 0",
    ]);
  });
});
