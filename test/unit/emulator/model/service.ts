import {
  type AudienceState,
  addAudience,
  type Flow,
  liveAudiences,
  type ModelContext,
  type Organization,
  timestamp,
} from './account.ts';
import { contactRecord, createContact, writeBatch } from './contacts.ts';
import { sendEmail } from './emails.ts';
import { enroll } from './enrollments.ts';
import {
  audienceRecord,
  listAudiences,
  listContacts,
  listDeliveries,
  listFlows,
  listSuppressions,
  page,
} from './lists.ts';
import { invalid, notFound, type Outcome, ok } from './refusals.ts';
import type { Fields, Webhook } from './shapes.ts';
import { suppress } from './suppressions.ts';
import { changeWebhook, createWebhook, deleteWebhook, liveWebhooks, webhookRecord } from './webhooks.ts';

/** A request with the model's symbols in place of ids. */
export interface ModelRequest {
  readonly method: string;
  readonly path: string;
  /** The body as text; without one, none is sent. */
  readonly body?: string;
  readonly apiKey: string;
  readonly idempotencyKey?: string;
  readonly contentType?: string;
}

type Endpoint = (found: Found, query: URLSearchParams, body: Fields) => Outcome;

interface Found {
  readonly organization: Organization;
  readonly context: ModelContext;
  readonly audience: AudienceState;
  readonly flow: Flow;
  readonly webhook: Webhook;
  readonly last: string;
}

/** The endpoints by method and path. `aud`, `aut` and `whe` stand for an id, `any` for a contact's id or address. */
const ENDPOINTS: Readonly<Record<string, Endpoint>> = {
  'GET audiences': ({ organization }, query) => listAudiences(organization, query),
  'POST audiences': ({ organization, context }, _, { name }) =>
    isName(name) ? ok(audienceRecord(addAudience(organization, String(name), context)), 201) : invalid('name'),
  'GET audiences aud': ({ audience }) => ok(audienceRecord(audience, true)),
  'PATCH audiences aud': ({ audience, context }, _, { name }) => rename(audience, name, context),
  'DELETE audiences aud': ({ audience }) => {
    audience.isDeleted = true;
    return ok({ id: audience.id, deleted: true });
  },
  'GET audiences aud contacts': ({ audience }, query) => listContacts(audience, query),
  'POST audiences aud contacts': ({ organization, audience, context }, query, body) =>
    createContact(organization, audience, { body, upsert: query.get('upsert') === 'true' }, context),
  'POST audiences aud contacts batch': ({ organization, audience, context }, _, body) =>
    writeBatch(organization, audience, body, context),
  'GET audiences aud contacts any': ({ audience, last }, query) => readContact(audience, last, query),
  'GET automations': ({ organization }, query) => listFlows(organization, query),
  'POST automations aut enroll': ({ organization, flow, context }, _, body) =>
    enroll(organization, flow, body, context),
  'GET suppressions': ({ organization }, query) => listSuppressions(organization, query),
  'POST suppressions': ({ organization, context }, _, body) => suppress(organization, body, context),
  'POST emails': ({ organization, context }, _, body) => sendEmail(organization, body, context),
  'GET webhooks': ({ organization }, query) => page(liveWebhooks(organization).map(webhookRecord), query),
  'POST webhooks': ({ organization, context }, _, body) => createWebhook(organization, body, context),
  'GET webhooks whe': ({ webhook }) => ok(webhookRecord(webhook)),
  'PATCH webhooks whe': ({ webhook }, _, body) => changeWebhook(webhook, body),
  'DELETE webhooks whe': ({ webhook }) => deleteWebhook(webhook),
  'GET webhooks whe deliveries': ({ webhook, context }, query) => listDeliveries(webhook, query, context.now()),
};

const ID_OF = new Map([
  ['audiences', 'aud'],
  ['automations', 'aut'],
  ['webhooks', 'whe'],
]);

/** The name of the endpoint of a request; undefined if the service has none. */
export function endpointOf({ method, path }: ModelRequest): string | undefined {
  const [version, ...parts] = partsOf(path);
  const words = parts.map((part, index) => (index === 1 ? (ID_OF.get(parts[0] ?? '') ?? part) : part));
  const isContact = words[2] === 'contacts' && words.length === 4 && !(method === 'POST' && words[3] === 'batch');
  const name = [method, ...(isContact ? [...words.slice(0, 3), 'any'] : words)].join(' ');
  return version === 'v1' && Object.hasOwn(ENDPOINTS, name) ? name : undefined;
}

/** Runs an endpoint. The body is an object by now. */
export function act(organization: Organization, request: ModelRequest, context: ModelContext, body: Fields): Outcome {
  if (lacksObject(organization, request)) {
    return notFound();
  }
  const [, , id = '', , last = ''] = partsOf(request.path);
  const audience = liveAudiences(organization).find((each) => each.id === id);
  const flow = organization.flows.find((each) => each.id === id);
  const webhook = liveWebhooks(organization).find((each) => each.id === id);
  const found = { organization, context, audience, flow, webhook, last: decodeURIComponent(last) } as Found;
  return ENDPOINTS[endpointOf(request) ?? '']!(found, queryOf(request.path), body);
}

/** True if the path names an object that this organization doesn't have. */
export function lacksObject(organization: Organization, request: ModelRequest): boolean {
  const words = endpointOf(request)?.split(' ') ?? [];
  const [, , id = ''] = partsOf(request.path);
  const all = { aud: liveAudiences(organization), aut: organization.flows, whe: liveWebhooks(organization) };
  const named = Object.entries(all).find(([kind]) => words.includes(kind));
  return named?.[1].every((each) => each.id !== id) ?? false;
}

const partsOf = (path: string) => (path.split('?')[0] ?? '').split('/').slice(1);
const queryOf = (path: string) => new URLSearchParams(path.split('?')[1]);

// Characters are code points, so an emoji is one.
const isName = (name: unknown) => typeof name === 'string' && [...name].length >= 1 && [...name].length <= 100;

function rename(audience: AudienceState, name: unknown, context: ModelContext): Outcome {
  if (name !== undefined && !isName(name)) {
    return invalid('name');
  }
  audience.name = name === undefined ? audience.name : String(name);
  audience.updated_at = timestamp(context.now());
  return ok(audienceRecord(audience));
}

function readContact({ people }: AudienceState, idOrEmail: string, query: URLSearchParams): Outcome {
  const isId = idOrEmail.startsWith('@sub_');
  const byId = () => [...people.values()].find(({ id }) => id === idOrEmail);
  const person = isId ? byId() : people.get(idOrEmail.trim().toLowerCase());
  return person === undefined ? notFound() : ok(contactRecord(person, query.get('expand') === 'topics'));
}
