import { describe, expect, test } from 'vitest';
import type { Transport } from '../../../src/base/context.ts';
import type { Emit } from '../../../src/base/events.ts';
import { createInterruption } from '../../../src/base/lib/interruption.ts';
import { people } from '../../support/lists.ts';
import { createWorld, type World } from '../../support/world.ts';
import { beforePage, byPosition, chain, isPage } from './shifting-pages.ts';

/** An emulator with this many people in the list and in the audience. */
async function worldOf(count: number): Promise<World> {
  const contacts = Array.from({ length: count }, (_, n) => ({
    email: `person${n}@example.com`,
    first_name: `Name ${n}`,
  }));
  const world = await createWorld({ seed: { contacts } });
  world.file('list.csv', people(count));
  return world;
}

const LINE = 'contacts check list.csv --json';
describe('contacts check when the audience changes meanwhile', () => {
  test('reports an extra contact that moved to a page already read (V2)', async () => {
    const world = await worldOf(350);
    const { admin } = world.emulator;
    // The deletion moves this person from page 3 to page 2, which is already read. So no page shows the person.
    const email = admin.contacts()[200]!.email;
    world.file('list.csv', people(350).replace(`${email},`, 'other@example.com,'));
    const first = admin.contacts()[0]!.email;
    const shifting = chain(
      byPosition(world),
      beforePage(3, () => admin.deleteContact(first)),
    );
    const checked = await world.svc(LINE, { transport: shifting });
    expect(checked.json.examples.extra).toEqual([{ email }]);
    expect(checked.json.counts).toMatchObject({ extra: 1, different: 0 });
    expect(checked.json.examples.missing).toEqual([{ email: 'other@example.com' }]);
  });

  test('counts no contact twice when sign-ups shift the pages of a check (V2)', async () => {
    const world = await worldOf(350);
    const { admin } = world.emulator;
    const joins = () => admin.addContacts(Array.from({ length: 30 }, (_, n) => ({ email: `joined${n}@example.com` })));
    const checked = await world.svc(LINE, { transport: chain(byPosition(world), beforePage(2, joins)) });
    expect([checked.code, checked.json.counts]).toEqual([
      0,
      { same: 350, different: 0, missing: 0, extra: 0, opted_out: 0 },
    ]);
  });

  test('contacts check looks up each missing or extra person at the end (V3)', async () => {
    const world = await worldOf(250);
    const { admin } = world.emulator;
    admin.deleteContact('person7@example.com');
    admin.addContacts([{ email: 'extra@example.com' }]);
    const move = () => {
      admin.addContacts([{ email: 'person7@example.com', first_name: 'Name 7' }]);
      admin.deleteContact('extra@example.com');
    };
    const checked = await world.svc(LINE, { transport: beforePage(3, move) });
    expect([checked.code, checked.json.counts.same, checked.json.looked_up]).toEqual([0, 250, 2]);
  });

  test('contacts check looks up only 400 of 450 missing people (V3)', async () => {
    const world = await worldOf(0);
    world.file('list.csv', people(450));
    const checked = await world.svc(LINE);
    expect([checked.code, checked.json.counts.missing, checked.json.looked_up]).toEqual([3, 450, 400]);
    expect(checked.json.unconfirmed).toEqual({ missing: 50 });
    expect(checked.json.examples.missing).toHaveLength(20);
  });

  test('reports a difference when pages show fewer people than counted (V2, L5)', async () => {
    const world = await worldOf(120);
    const hides = ({ email }: { readonly email: string }) => !email.startsWith('person5');
    const checked = await world.svc(LINE, { transport: byPosition(world, hides) });
    expect([checked.code, checked.json.status, checked.json.counts]).toEqual([
      3,
      'different',
      { same: 120, different: 0, missing: 0, extra: 0, opted_out: 0 },
    ]);
    expect(checked.json.notes).toEqual([expect.stringContaining('lists fewer contacts than it counts')]);
  });

  describe.each(['same', 'extra'])('with a service that lists only subscribed people (V2, L5)', (kind) => {
    test.each([1, 3])(`contacts check is right about "${kind}" people when %i people opted out`, async (left) => {
      const contacts = Array.from({ length: 120 }, (_, n) => ({
        email: `person${n}@example.com`,
        first_name: `Name ${n}`,
      }));
      const world = await createWorld({ seed: { contacts }, variants: { contact_list: 'subscribed' } });
      const { admin } = world.emulator;
      const optedOut = contacts.slice(0, left).map(({ email }) => email);
      optedOut.forEach((email) => admin.setStatus(email, 'unsubscribed'));
      const rows = contacts.map(
        ({ email, first_name }) => `${email},${first_name},${optedOut.includes(email) ? 'un' : ''}subscribed`,
      );
      world.file('list.csv', `email,first_name,status\n${rows.join('\n')}\n`);
      if (kind === 'extra') {
        // No page and no row of the list shows this person.
        admin.addContacts([{ email: 'other@example.com', status: 'unsubscribed' }]);
      }
      const { code, json } = await world.svc(LINE);
      expect([code, json.status, json.notes.length]).toEqual(kind === 'same' ? [0, 'same', 0] : [3, 'different', 1]);
      expect(json.counts).toMatchObject({ same: 120, missing: 0, extra: 0 });
    });
  });

  test('reports a difference when a person joins after the last page (V2, L5)', async () => {
    const contacts = [
      { email: 'person0@example.com' },
      { email: 'person1@example.com', status: 'unsubscribed' as const },
    ];
    const world = await createWorld({ seed: { contacts }, variants: { contact_list: 'subscribed' } });
    world.file('list.csv', 'email,status\nperson0@example.com,subscribed\nperson1@example.com,unsubscribed\n');
    const joins = (inner: Transport): Transport => ({
      ...inner,
      send: async (request, signal) => {
        const response = await inner.send(request, signal);
        if (request.url.pathname.includes('person1')) {
          world.emulator.admin.addContacts([{ email: 'joined@example.com' }]);
        }
        return response;
      },
    });
    expect((await world.svc(LINE)).code).toBe(0);
    const { code, json } = await world.svc(LINE, { transport: joins });
    expect([code, json.notes.length]).toEqual([3, 1]);
  });

  test('contacts check exits with 1 when the list of contacts never ends (L1)', async () => {
    const world = await worldOf(120);
    const body = { data: [], has_more: true, next_cursor: 'again' };
    const match = { route: 'GET /v1/audiences/*/contacts' };
    world.emulator.admin.addFault({ kind: 'answer', status: 200, body, when: 'before', match });
    const { code, out, err } = await world.svc(LINE);
    expect([code, out, JSON.parse(err).error.code]).toEqual([1, '', 'unexpected_answer']);
  });
});

describe('an interrupted contacts check', () => {
  /** Interrupts a check before its third page. */
  async function interrupt(world: World): Promise<void> {
    const controller = new AbortController();
    const abort = () => controller.abort(createInterruption('SIGINT'));
    const transport = beforePage(3, abort);
    const ended = await world.svc(LINE, { transport, signal: controller.signal });
    expect([ended.code, ended.out]).toEqual([130, '']);
    expect(ended.err).toContain('svc runs resume run_');
    world.requests();
  }

  test.each([LINE, 'runs resume --json'])(
    'names the command to continue when "%s" is stopped early (D1)',
    async (line) => {
      const world = await worldOf(450);
      await interrupt(world);
      const controller = new AbortController();
      const onEvent: Emit = (event) => {
        if (event.type === 'progress' && event.phase === 'survey') {
          controller.abort(createInterruption('SIGTERM'));
        }
      };
      const ended = await world.svc(line, { onEvent, signal: controller.signal });
      const [{ run }] = (await world.svc('runs ls --json')).json;
      const hint = `To continue: svc runs resume ${run}`;
      expect([ended.code, JSON.parse(ended.err).error.hint]).toEqual([143, hint]);
    },
  );

  const pagesIn = (world: World) => world.requests().filter(({ path }) => isPage(path)).length;

  test('continues a check at the next page when the command runs again (V2, D1)', async () => {
    const world = await worldOf(450);
    world.emulator.admin.deleteContact('person3@example.com');
    await interrupt(world);
    const again = await world.svc(LINE);
    expect([again.code, again.json.counts]).toEqual([
      3,
      { same: 449, different: 0, missing: 1, extra: 0, opted_out: 0 },
    ]);
    expect(pagesIn(world)).toBe(3);
    expect((await world.svc('runs ls --json')).json).toMatchObject([{ status: 'partial', finished: true }]);
  });

  test('continues an interrupted contacts check with runs resume (D1)', async () => {
    const world = await worldOf(450);
    await interrupt(world);
    const resumed = await world.svc('runs resume --json');
    expect([resumed.code, resumed.json.counts, pagesIn(world)]).toEqual([
      0,
      { same: 450, different: 0, missing: 0, extra: 0, opted_out: 0 },
      3,
    ]);
    expect((await world.svc(`runs show ${resumed.json.run} --json`)).json).toEqual(resumed.json);
    expect((await world.svc(`runs show ${resumed.json.run}`)).out).toContain('450  same');
  });

  test('runs prune deletes an unfinished check when it is 91 days old', async () => {
    const world = await worldOf(450);
    await interrupt(world);
    await world.clock.advance(91 * 86_400_000);
    expect((await world.svc('runs prune --older-than 90d --json')).json).toMatchObject({
      deleted: [expect.stringMatching(/^run_/)],
      kept: [],
    });
  });

  test.each([61, 5 * 24 * 60, -2, -90])(
    'reads all pages again when a check continues after %i minutes (V2, P7)',
    async (minutes) => {
      const world = await worldOf(450);
      await interrupt(world);
      world.emulator.admin.deleteContact(world.emulator.admin.contacts()[0]!.email);
      world.clock.set(world.clock.now() + minutes * 60_000);
      const again = await world.svc(LINE);
      expect([again.code, again.json.counts, pagesIn(world)]).toEqual([
        3,
        { same: 449, different: 0, missing: 1, extra: 0, opted_out: 0 },
        5,
      ]);
    },
  );

  test('starts a check over when the service refuses the old cursor (V2)', async () => {
    const world = await worldOf(450);
    await interrupt(world);
    // This person is on the first page, which an earlier process read.
    const { email } = world.emulator.admin.contacts()[0]!;
    world.emulator.admin.setStatus(email, 'pending');
    world.refuse('GET /v1/audiences/*/contacts', { status: 400, code: 'invalid_request', times: 1 });
    const again = await world.svc(LINE);
    expect([again.code, again.json.counts, pagesIn(world)]).toEqual([
      3,
      { same: 449, different: 1, missing: 0, extra: 0, opted_out: 0 },
      6,
    ]);
    expect(again.json.examples.different).toEqual([expect.objectContaining({ email })]);
  });
});
