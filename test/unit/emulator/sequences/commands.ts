import fc from 'fast-check';
import {
  batch,
  bigBatch,
  changeAudience,
  create,
  enroll,
  enrollAgain,
  list,
  type RequestPlan,
  read,
  send,
  suppress,
} from './requests.ts';
import { mostly, PEOPLE, residents } from './values.ts';
import { changeWebhook, createWebhook, readWebhook, workingWebhook } from './webhook-requests.ts';

/** One step of a random sequence. A number that is too high starts again at the first object. */
export type Command =
  | { readonly kind: 'request'; readonly request: RequestPlan; readonly times?: number }
  /** Repeats a POST that had an idempotency key, counted from the last one. */
  | { readonly kind: 'again'; readonly back: number }
  /** Reads the next page of the last list. */
  | { readonly kind: 'more'; readonly limit: number }
  | { readonly kind: 'wait'; readonly ms: number }
  /** Waits until this many milliseconds before the next month. */
  | { readonly kind: 'month'; readonly before: number }
  /** Creates contacts in the first audience until the account holds this many. */
  | { readonly kind: 'fill'; readonly total: number }
  | { readonly kind: 'steal'; readonly requests: number }
  | { readonly kind: 'account'; readonly settings: AccountPlan }
  | { readonly kind: 'person'; readonly email: string; readonly status: string }
  | { readonly kind: 'flow'; readonly flow: number; readonly becomes: string };

export interface AccountPlan {
  readonly plan?: 'free' | 'paid';
  readonly members?: readonly string[];
  readonly sendingDisabled?: boolean;
  readonly allowance?: number | null;
}

/** An automation at the start of a sequence. */
export interface AutomationPlan {
  readonly status: 'draft' | 'active' | 'paused' | 'archived';
  readonly trigger: 'api' | 'audience_join';
  readonly reentry: 'once' | 'finished' | 'always';
  readonly entryFilter: Readonly<Record<string, string>>;
  readonly unusable: boolean;
  readonly inSecond: boolean;
}

type Commands = fc.Arbitrary<Command>;

export const asRequest = (request: RequestPlan): Command => ({ kind: 'request', request });
export const wait = (ms: number): Command => ({ kind: 'wait', ms });
const again: Command = { kind: 'again', back: 0 };

const write: Commands = fc
  .oneof(
    { weight: 6, arbitrary: batch },
    { weight: 4, arbitrary: create },
    { weight: 1, arbitrary: suppress },
    { weight: 12, arbitrary: enroll },
    { weight: 2, arbitrary: send },
    { weight: 2, arbitrary: changeAudience },
    { weight: 1, arbitrary: createWebhook },
    { weight: 1, arbitrary: changeWebhook },
  )
  .map(asRequest);

const account: Commands = fc
  .constantFrom<AccountPlan>(
    { plan: 'free' },
    { plan: 'paid' },
    { members: PEOPLE.slice(0, 2) },
    { members: PEOPLE.slice(1, 2) },
    { sendingDisabled: true },
    { sendingDisabled: false },
    { allowance: 3 },
    { allowance: null },
  )
  .map((settings) => ({ kind: 'account', settings }));

const person: Commands = fc
  .tuple(fc.constantFrom(...PEOPLE), fc.constantFrom('pending', 'bounced', 'subscribed', 'unsubscribed'))
  .map(([address, status]) => ({ kind: 'person', email: address, status }));

const flow: Commands = fc
  .tuple(fc.nat(3), mostly(['active', 'paused', 'published', 'finished', 'finished'], ['draft', 'archived'], 4))
  .map(([at, becomes]) => ({ kind: 'flow', flow: at, becomes }));

const one: fc.Arbitrary<Command[]> = fc
  .oneof(
    { weight: 25, arbitrary: write },
    { weight: 4, arbitrary: list.map(asRequest) },
    { weight: 4, arbitrary: read.map(asRequest) },
    { weight: 2, arbitrary: readWebhook.map(asRequest) },
    { weight: 4, arbitrary: fc.nat(3).map((back): Command => ({ kind: 'again', back })) },
    { weight: 2, arbitrary: fc.constantFrom(1, 999, 30_500, 60_000, 86_400_000).map(wait) },
    { weight: 2, arbitrary: account },
    { weight: 3, arbitrary: person },
    { weight: 3, arbitrary: flow },
  )
  .map((command) => [command]);

/** The window of 600 is nearly full, and frees its room after exactly a minute. */
const fullWindow = fc
  .tuple(fc.constantFrom(593, 597, 598, 599, 600), fc.array(write, { minLength: 2, maxLength: 3 }), fc.nat(999), write)
  .map(([requests, some, ms, last]) => [
    { kind: 'steal', requests } as const,
    ...some,
    wait(59_000 + ms),
    last,
    wait(999 - ms),
    last,
    wait(1),
    last,
  ]);

/** A response is replayed for 24 hours, whatever happened in between. */
const wholeDay = fc
  .tuple(fc.oneof(batch, create, suppress, enroll, changeAudience), write, fc.nat(1))
  .map(([request, between, ms]): Command[] => [
    asRequest({ ...request, apiKey: 'full', idempotencyKey: 'day' }),
    between,
    again,
    wait(86_399_999 + ms),
    again,
    wait(1 - ms),
    again,
  ]);

/** Whether a person may enter an automation again, while the automation or the person changes. */
const reentry = fc
  .tuple(enrollAgain, fc.oneof(flow, person))
  .map(([[first, ...others], change]): Command[] => [
    asRequest(first!),
    asRequest(first!),
    change,
    ...others.map(asRequest),
  ]);

/** A free account close to its 500 subscribers. */
const nearCap = fc
  .tuple(
    fc.constantFrom(497, 498, 499, 500, 501),
    fc.array(fc.oneof(batch, create, enroll), { minLength: 4, maxLength: 8 }),
  )
  .map(([total, some]): Command[] => [
    { kind: 'account', settings: { plan: 'free' } },
    { kind: 'fill', total },
    ...some.map(asRequest),
  ]);

/** Pauses between the attempts of a delivery, and times between them. */
const retryPause = fc
  .constantFrom(999, 1_000, 30_000, 30_001, 120_000, 600_000, 1_800_000, 3_600_000, 21_600_000)
  .map(wait);

/** An endpoint, events for it, and what its log says while time goes on. */
const webhookScene = fc
  .tuple(
    workingWebhook,
    fc.array(fc.oneof(suppress, send, changeWebhook, createWebhook).map(asRequest), { minLength: 2, maxLength: 5 }),
    fc.array(fc.oneof(retryPause, readWebhook.map(asRequest), changeWebhook.map(asRequest)), {
      minLength: 3,
      maxLength: 8,
    }),
  )
  .map(([endpoint, some, later]): Command[] => [asRequest(endpoint), ...some, ...later]);

/** The monthly allowance is nearly used, and a month ends. */
const allowanceScene = fc
  .tuple(fc.constantFrom(0, 1, 2, 3), fc.array(send, { minLength: 3, maxLength: 4 }), send, fc.constantFrom(1, 2))
  .map(([allowance, some, last, before]): Command[] => [
    { kind: 'account', settings: { plan: 'paid', sendingDisabled: false, allowance } },
    ...some.map(asRequest),
    { kind: 'month', before },
    asRequest(last),
    wait(before),
    asRequest(last),
  ]);

const big = bigBatch.map((request): Command[] => [asRequest(request)]);

const pages = fc
  .tuple(list, write, fc.constantFrom(1, 2, 100))
  .map(([request, between, limit]): Command[] => [asRequest(request), between, { kind: 'more', limit }]);

const scene: fc.Arbitrary<Command[]> = fc.oneof(
  { weight: 100, arbitrary: one },
  { weight: 5, arbitrary: fullWindow },
  { weight: 5, arbitrary: wholeDay },
  { weight: 12, arbitrary: reentry },
  { weight: 5, arbitrary: pages },
  { weight: 3, arbitrary: nearCap },
  { weight: 1, arbitrary: big },
  { weight: 4, arbitrary: webhookScene },
  { weight: 2, arbitrary: allowanceScene },
);

/** People in both audiences and in most states, so that the first enrollments meet them. */
const population = fc
  .tuple(residents, residents, fc.array(person, { maxLength: 2 }), fc.array(suppress, { maxLength: 1 }))
  .map(([first, second, changes, suppressed]): Command[] => [
    fill('{audience:0}', first),
    fill('{audience:1}', second),
    ...changes,
    ...suppressed.map(asRequest),
  ]);

function fill(audience: string, contacts: readonly object[]): Command {
  const path = `/v1/audiences/${audience}/contacts/batch`;
  return asRequest({ method: 'POST', path, body: JSON.stringify({ upsert: true, contacts }), apiKey: 'full' });
}

export const commands: fc.Arbitrary<Command[]> = fc
  .tuple(population, fc.array(scene, { maxLength: 50, size: 'max' }))
  .map(([first, scenes]) => [...first, ...scenes.flat()]);

export const flows: fc.Arbitrary<AutomationPlan[]> = fc.array(
  fc.record({
    status: mostly<AutomationPlan['status']>(['active', 'active', 'active', 'paused'], ['draft', 'archived'], 8),
    trigger: fc.constantFrom<AutomationPlan['trigger']>('api', 'api', 'audience_join'),
    reentry: fc.constantFrom<AutomationPlan['reentry']>('once', 'finished', 'always'),
    entryFilter: mostly<AutomationPlan['entryFilter']>([{}], [{ plan: 'pro' }], 2),
    unusable: mostly([false], [true], 15),
    inSecond: mostly([false], [true], 2),
  }),
  { minLength: 4, maxLength: 4 },
);
