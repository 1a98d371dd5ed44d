import { EVENT_TYPES } from '../model/webhooks.ts';
import { type AutomationPlan, asRequest, type Command, wait } from './commands.ts';
import type { RequestPlan } from './requests.ts';
import { numbered, PEOPLE } from './values.ts';

function post(path: string, body: unknown, more: Partial<RequestPlan> = {}): Command {
  return asRequest({ method: 'POST', path, body: JSON.stringify(body), apiKey: 'full', ...more });
}

const get = (path: string, apiKey = 'full') => asRequest({ method: 'GET', path, apiKey });
const batchOf = (emails: readonly string[]) => ({ upsert: true, contacts: emails.map((email) => ({ email })) });
const suppress = (reason: string, emails: readonly string[], more: Partial<RequestPlan> = {}) =>
  post('/v1/suppressions', { reason, emails }, more);

const BATCH = '/v1/audiences/{audience:0}/contacts/batch';
const SECOND_BATCH = '/v1/audiences/{audience:1}/contacts/batch';
/** The audience of the other organization: the account itself has two. */
const FOREIGN = '/v1/audiences/{audience:2}';
const ENROLL = '/v1/automations/{flow:0}/enroll';
const SECOND_ENROLL = '/v1/automations/{flow:1}/enroll';
const [ANA = '', BO = ''] = PEOPLE;

const LIMITS: Command[] = [
  { kind: 'account', settings: { plan: 'paid' } },
  post(BATCH, batchOf(numbered(1001))),
  post(BATCH, batchOf(numbered(1000))),
  post('/v1/emails', { from: ANA, to: numbered(50), subject: 'S', text: 'T' }),
  post('/v1/emails', { from: ANA, to: numbered(51), subject: 'S', text: 'T' }),
  suppress('bounced', numbered(1001)),
  suppress('bounced', []),
  suppress('bounced', numbered(1000)),
  post('/v1/audiences', { name: 'A' }, { idempotencyKey: 'k'.repeat(255) }),
  post('/v1/audiences', { name: 'A' }, { idempotencyKey: 'k'.repeat(255) }),
  post('/v1/audiences', { name: 'A' }, { idempotencyKey: 'k'.repeat(256) }),
  ...['x', '🎉'].flatMap((letter) => [100, 101].map((count) => post('/v1/audiences', { name: letter.repeat(count) }))),
  post(BATCH, batchOf([ANA, ` ${ANA.toUpperCase()}`])),
  post(BATCH, batchOf([ANA, BO, ANA])),
];

/** Each reason after each other one: the stronger one stays. */
const REASONS: Command[] = ['bounced', 'complained', 'unsubscribed'].flatMap((first) =>
  ['bounced', 'complained', 'unsubscribed'].flatMap((second) => [
    suppress(first, [`${first}-${second}@example.com`]),
    suppress(second, [`${first}-${second}@example.com`]),
    post('/v1/emails', { from: ANA, to: [`${first}-${second}@example.com`], subject: 'S', text: 'T' }),
    post(BATCH, batchOf([`${first}-${second}@example.com`])),
  ]),
);

const OWNERS: Command[] = [
  post(`${FOREIGN}/contacts/batch`, batchOf([ANA, BO]), { apiKey: 'other' }),
  suppress('bounced', [BO], { apiKey: 'other', idempotencyKey: 'k' }),
  suppress('complained', [ANA], { idempotencyKey: 'k' }),
  get('/v1/suppressions'),
  get('/v1/suppressions', 'other'),
  get('/v1/audiences', 'other'),
  get(`${FOREIGN}/contacts`, 'other'),
  get(FOREIGN),
  get(`${FOREIGN}/contacts/${BO}`),
  post(ENROLL, { email: BO }, { apiKey: 'other' }),
  post(ENROLL, { email: BO }, { apiKey: 'plain' }),
  post(ENROLL, { email: BO }),
];

/** One key with the same body for another path is another request. */
const PATHS: Command[] = [
  post(BATCH, batchOf(PEOPLE), { idempotencyKey: 'batch' }),
  post(SECOND_BATCH, batchOf(PEOPLE), { idempotencyKey: 'batch' }),
  post(ENROLL, { email: BO }, { idempotencyKey: 'enroll' }),
  post(SECOND_ENROLL, { email: BO }, { idempotencyKey: 'enroll' }),
  post(ENROLL, { email: BO }, { idempotencyKey: 'enroll' }),
];

const SEND = { from: 'us@example.com', to: [ANA], subject: 'Hello', text: 'Text' };

/**
 * The service allows 120 emails a minute, which also count among the 600 requests a minute. A refused email counts too.
 */
const FULL_BUCKET: Command[] = [
  { kind: 'account', settings: { members: PEOPLE } },
  { ...post('/v1/emails', SEND), times: 118 } as Command,
  post('/v1/emails', {}),
  post('/v1/emails', SEND),
  post('/v1/emails', SEND),
  get('/v1/audiences'),
  wait(59_999),
  post('/v1/emails', SEND),
  wait(1),
  post('/v1/emails', SEND),
];

const FLOW: AutomationPlan = {
  status: 'active',
  trigger: 'api',
  reentry: 'once',
  entryFilter: {},
  unusable: false,
  inSecond: false,
};

const hook = (path: string, events: readonly string[] = EVENT_TYPES, more: Partial<RequestPlan> = {}) =>
  post('/v1/webhooks', { url: `https://hooks.example.com/${path}`, events }, more);
const change = (at: number, body: object, method = 'PATCH') => post(`/v1/webhooks/{webhook:${at}}`, body, { method });
const send = (...locals: string[]) =>
  post('/v1/emails', { ...SEND, to: locals.map((local) => `${local}@example.com`) });
const deliveries = (at: number, query = '') => get(`/v1/webhooks/{webhook:${at}}/deliveries${query}`);
const DAY = 86_400_000;

/** Every event, receivers that fail once, always or six times, and all seven attempts. */
const WEBHOOKS: Command[] = [
  { kind: 'account', settings: { plan: 'paid' } },
  hook('', EVENT_TYPES, { idempotencyKey: 'hook' }),
  hook('', EVENT_TYPES, { idempotencyKey: 'hook' }),
  hook('fail/1/0', ['email.bounced', 'suppression.created']),
  hook('fail/6/301-0'),
  hook('fail/99/500', ['suppression.created']),
  hook('', EVENT_TYPES, { apiKey: 'other' }),
  ...['plain', 'other', 'full'].flatMap((apiKey) =>
    ['', '/{webhook:0}', '/{webhook:0}/deliveries'].map((path) => get(`/v1/webhooks${path}`, apiKey)),
  ),
  suppress('unsubscribed', [ANA, 'bounce@example.com']),
  suppress('bounced', [ANA, BO], { apiKey: 'other' }),
  send('dee', 'dee', 'bounce', 'complaint'),
  send('undetermined', 'softbounce', 'fail'),
  ...[1000, 1000, 1000].flatMap((ms) => [wait(ms), deliveries(0), deliveries(1), deliveries(2)]),
  send('bounce'),
  send('complaint'),
  ...[30, 120, 600, 1800, 3600, 21_600].flatMap((seconds) => [
    wait(seconds * 1000 - 3000),
    deliveries(2),
    get('/v1/webhooks/{webhook:3}'),
    wait(3000),
    deliveries(3, '?status=pending'),
  ]),
  deliveries(3, '?status=failed'),
  deliveries(2, '?status=delivered&limit=2'),
  { kind: 'more', limit: 2 },
  get('/v1/webhooks'),
];

/** Endpoints that change or go while deliveries are on their way, and the end of the log after 30 days. */
const WEBHOOK_CHANGES: Command[] = [
  hook('fail/99/404', ['suppression.created']),
  hook('fail/99/404', ['suppression.created']),
  suppress('bounced', [ANA]),
  change(0, { url: 'https://hooks.example.com/fail/2/503', description: 'moved' }),
  change(1, {}, 'DELETE'),
  deliveries(1),
  wait(30_000),
  deliveries(0),
  wait(120_000),
  deliveries(0),
  change(0, { events: ['email.sent'] }),
  suppress('complained', [BO]),
  change(0, { status: 'disabled' }),
  send('cy'),
  wait(2000),
  change(0, { status: 'active' }),
  get('/v1/webhooks/{webhook:0}'),
  wait(30 * DAY - 152_001),
  deliveries(0),
  wait(2),
  deliveries(0),
];

/** The last messages of a month, and the first ones of the next. Refused ones and repeats use nothing up. */
const ALLOWANCE: Command[] = [
  { kind: 'account', settings: { plan: 'paid', allowance: 2 } },
  { kind: 'month', before: 2 },
  post('/v1/emails', { ...SEND, to: [ANA, BO, 'cy@example.com'] }),
  post('/v1/emails', { ...SEND, to: [ANA, BO, ANA] }, { idempotencyKey: 'mail' }),
  post('/v1/emails', { ...SEND, to: [ANA, BO, ANA] }, { idempotencyKey: 'mail' }),
  { kind: 'account', settings: { allowance: 4 } },
  post('/v1/emails', { ...SEND, to: [ANA, BO, 'cy@example.com'] }),
  post('/v1/emails', { ...SEND, to: [] }),
  post('/v1/emails', SEND, { apiKey: 'other' }),
  send('ana', 'bo'),
  send('ana'),
  wait(1),
  send('ana'),
  wait(1),
  send('ana', 'bo', 'cy'),
  send('ana', 'bo'),
  { kind: 'account', settings: { allowance: 5 } },
  send('ana', 'bo'),
  send('ana'),
  { kind: 'account', settings: { allowance: null } },
  send('ana'),
];

/** Limits and rare cases of the document. Random sequences reach them too seldom, or only with much time. */
export const EDGES: [AutomationPlan[], Command[]][] = [
  LIMITS,
  REASONS,
  [...PATHS, ...OWNERS],
  FULL_BUCKET,
  WEBHOOKS,
  WEBHOOK_CHANGES,
  ALLOWANCE,
].map((edge) => [[FLOW, FLOW], edge]);
