import type { Transport, WireRequest, WireResponse } from '../../../../src/base/context.ts';
import type { Emit } from '../../../../src/base/events.ts';
import { afterResponse } from '../../../support/after-post.ts';
import { people } from '../../../support/lists.ts';
import { createWorld, type RunOptions, type World } from '../../../support/world.ts';

export const FLAGS = ['--json', '--plan', 'paid'];
export const SIGNS_UP = { omitted_status_existing: 'subscribed' };
export const MINUTE = 60_000;
export const REFUSED = { kind: 'error', status: 403, code: 'plan_limit_reached', when: 'before', times: 1 } as const;

/**
 * A person who is not in the list. The pages and the counts show this person, so svc knows that the counts have pending
 * people, and does not look for others.
 */
export const PENDING = { email: 'pending@example.com', status: 'pending' } as const;

/** An audience of the people of the list. Its newest contacts are others, so svc may not read the older pages. */
export async function createAudience(count: number, variants: Readonly<Record<string, string>>, others = 1_100) {
  const world = await createWorld({ variants });
  const { admin } = world.emulator;
  admin.addContacts(Array.from({ length: count }, (_, index) => ({ email: `person${index}@example.com` })));
  admin.addContacts([{ email: 'old@example.com', status: 'unsubscribed', unsubscribed_at: 1 }]);
  await world.clock.advance(10 * MINUTE);
  admin.addContacts(Array.from({ length: others }, (_, index) => ({ email: `other${index}@example.com` })));
  await world.clock.advance(10 * MINUTE);
  return { ...world, list: world.file('list.csv', people(count)) };
}

/** Changes the status of people in the pause, then resumes the run. */
export async function resumeAfter(world: World, emails: readonly string[], status: string) {
  await world.clock.advance(60 * MINUTE);
  emails.forEach((email) => world.emulator.admin.setStatus(email, status));
  await world.clock.advance(MINUTE);
  const { code } = await world.svc('runs resume --json');
  return [code, ...emails.map((email) => world.emulator.admin.contact(email)?.status)];
}

/** The addresses of each contact batch since the last call. */
export function sentPeople(world: World): string[][] {
  const posts = world.requests().filter(({ method, path }) => method === 'POST' && path.endsWith('/batch'));
  return posts.map(({ body }) => JSON.parse(body).contacts.map(({ email }: { email: string }) => email));
}

/** Options for a run that is stopped after it looked up this many people. */
export function stoppedAtContact(count: number): RunOptions {
  const isMeant = ({ url }: WireRequest) => url.pathname.includes('/contacts/person');
  return afterResponse(count, isMeant, (stopper) => stopper.abort());
}

/** Options for a run that stops when the batches begin, after the first people were read back. */
export function stoppedAtBatches(): RunOptions {
  const stopper = new AbortController();
  const onEvent: Emit = (event) => void (event.type === 'phase' && event.phase === 'contacts' && stopper.abort());
  return { signal: stopper.signal, onEvent };
}

/** Changes the status of the people with these numbers in a pause of an hour. */
export async function setStatuses(world: World, numbers: readonly number[], status: string): Promise<void> {
  await world.clock.advance(60 * MINUTE);
  numbers.forEach((number) => world.emulator.admin.setStatus(addressOf(number), status));
  await world.clock.advance(MINUTE);
}

/** The statuses of the people with these numbers in the audience. */
export function statusesOf(world: World, numbers: readonly number[]): (string | undefined)[] {
  return numbers.map((number) => world.emulator.admin.contact(addressOf(number))?.status);
}

/** The address of a person of the list that `people` makes. */
export function addressOf(number: number): string {
  return `person${number}@example.com`;
}

/** Options for a service whose lists of contacts show subscribed people only. */
export function withoutListedOptOuts(options: RunOptions = {}): Required<Pick<RunOptions, 'transport'>> & RunOptions {
  return withChangedContacts(options, /\/contacts$/, (response, body) => {
    const data = body.data?.filter(({ status }: { readonly status?: string }) => status === 'subscribed');
    return data ? { ...response, body: Buffer.from(JSON.stringify({ ...body, data })) } : response;
  });
}

/**
 * Like `withoutListedOptOuts`, for a service that also answers the look-up of such a person with 404. So svc can't read
 * who opted out, and compares counts.
 */
export function withoutShownOptOuts(options: RunOptions = {}): Required<Pick<RunOptions, 'transport'>> & RunOptions {
  return withChangedContacts(withoutListedOptOuts(options), /\/contacts\/[^/]+$/, (response, { status }) => {
    const body = Buffer.from(JSON.stringify({ error: { code: 'not_found', message: 'no such contact' } }));
    return [undefined, 'subscribed'].includes(status) ? response : { ...response, status: 404, body };
  });
}

function withChangedContacts(
  options: RunOptions,
  path: RegExp,
  change: (response: WireResponse, body: ReturnType<typeof JSON.parse>) => WireResponse,
): Required<Pick<RunOptions, 'transport'>> & RunOptions {
  const { transport: outer = (inner: Transport) => inner } = options;
  const changing = (inner: Transport): Transport => ({
    close: () => inner.close(),
    send: async (request, signal) => {
      const response = await inner.send(request, signal);
      const isRead = request.method === 'GET' && path.test(request.url.pathname);
      return isRead ? change(response, JSON.parse(String(response.body))) : response;
    },
  });
  return { ...options, transport: (inner) => outer(changing(inner)) };
}
