import { changedNameNote, listAudiences } from '../../api/resources/audiences.ts';
import { listAutomations } from '../../api/resources/automations.ts';
import { checkId } from '../../api/resources/ids.ts';
import { listWebhooks } from '../../api/resources/webhooks.ts';
import { SvcError } from '../../base/lib/errors.ts';
import { EXIT } from '../../base/lib/exit.ts';
import { shellWord, terminalSafe } from '../../base/lib/text.ts';
import { wrapText } from '../../render/text/wrap.ts';
import { isSameUrl } from '../../wire/same-value.ts';
import { ID_PREFIXES } from '../../wire/service-words.ts';
import type { Audience } from '../../wire/shapes.ts';
import type { Invocation } from './invocation.ts';
import { commandToPaste } from './output/command-to-paste.ts';
import type { Account } from './settings/account.ts';

type NamedKind = 'audience' | 'automation' | 'webhook';

/**
 * True if the text is a name (for a webhook, a URL) and not an id. Text that begins with the prefix of any kind of id
 * is an id.
 */
export function isObjectName(kind: NamedKind, given: string): boolean {
  const isId = given === '' || Object.values(ID_PREFIXES).some((prefix) => given.startsWith(prefix));
  // `webhooks ls` shows URLs without https://, so users may type them without it.
  return kind === 'webhook' ? /^https?:\/\//i.test(given) || (!isId && /^[^\s/]+\.[^\s/]/.test(given)) : !isId;
}

/**
 * Finds the id of an object that the user gave by id or exact name. If several objects have the name, throws a usage
 * error that lists the commands with ids (L3).
 */
export async function findId(
  kind: NamedKind,
  given: string,
  { client }: Pick<Account, 'client'>,
  { context, line }: Pick<Invocation<unknown>, 'context' | 'line'>,
): Promise<string> {
  if (!isObjectName(kind, given)) {
    return checkId(kind, given);
  }
  const { signal } = context;
  let hits = await hitsOf(kind, eachNamed(kind, client, signal), given);
  if (kind === 'automation' && hits.length === 0) {
    // The default list leaves out archived automations. The user should learn that the automation is archived.
    // Otherwise svc would say that it does not exist.
    hits = await hitsOf(kind, eachNamed(kind, client, signal, 'archived'), given);
  }
  const [hit, another] = hits;
  if (hit !== undefined && another === undefined) {
    return hit.id;
  }
  const plural = `${hits.length} ${kind}s have the ${NAMES[kind]} "${terminalSafe(given)}"`;
  const index = placeOf(given, line);
  const withId = ({ id, about }: NamedId) =>
    `${['svc', ...line.with(index, id)].map(shellWord).join(' ')}   # ${terminalSafe(about)}`;
  throw hit === undefined
    ? usage(
        `no ${kind} has the ${NAMES[kind]} "${terminalSafe(given)}"`,
        `Ids of this kind start with ${ID_PREFIXES[kind]}. See: svc ${kind}s ls`,
      )
    : usage(plural, `Choose one by its id:\n${hits.map(withId).join('\n')}`);
}

/**
 * The endpoints that already have this URL. svc only writes a note about them. So with -q the result is empty, which
 * saves the request.
 */
export async function findEndpointsWithUrl(
  url: string,
  client: Account['client'],
  { context, settings }: Invocation<unknown>,
): Promise<readonly { readonly id: string }[]> {
  return settings.output.quiet ? [] : hitsOf('webhook', eachNamed('webhook', client, context.signal), url);
}

/**
 * Writes notes to stderr: other objects have the name or URL of the object that was just written. This is no error,
 * because the service permits equal names.
 */
export function noteSameName(
  kind: keyof typeof SAME,
  others: readonly { readonly id: string }[],
  invocation: Invocation<unknown>,
): void {
  const { context, settings } = invocation;
  for (const { id } of settings.output.quiet ? [] : others) {
    const show = commandToPaste([`${kind}s`, 'get', id], invocation);
    const note = `note: ${terminalSafe(id)} has the same ${NAMES[kind]}. ${SAME[kind]} See: ${show}`;
    context.stderr.write(`${wrapText(note, context.stderr.columns).join('\n')}\n`);
  }
}

/**
 * Writes a note to stderr if the service stored another name than the user asked for. A later command would not find
 * the audience by the name that the user gave.
 */
export function noteChangedName(
  asked: string,
  audience: Pick<Audience, 'id' | 'name'>,
  { context, settings }: Invocation<unknown>,
): void {
  const note = settings.output.quiet ? undefined : changedNameNote(asked, audience);
  if (note !== undefined) {
    context.stderr.write(`${wrapText(`note: ${note}`, context.stderr.columns).join('\n')}\n`);
  }
}

const SAME = {
  audience: 'Commands need an id to choose one of them.',
  webhook: 'Events of both arrive there twice.',
} as const;

const NAMES = { audience: 'name', automation: 'name', webhook: 'URL' } as const;

interface NamedId {
  readonly id: string;
  readonly name: string;
  /** A text that distinguishes objects with the same name: the date, the status, or the events. */
  readonly about: string;
}

/**
 * The index of the name among the words of the line. Prefers a word that does not follow a flag, because such a word
 * may be the value of the flag.
 */
function placeOf(given: string, line: readonly string[]): number {
  const argument = line.findIndex((word, index) => word === given && !line[index - 1]?.startsWith('--'));
  return argument < 0 ? line.indexOf(given) : argument;
}

async function* eachNamed(
  kind: NamedKind,
  client: Account['client'],
  signal: AbortSignal,
  status?: string,
): AsyncGenerator<NamedId> {
  if (kind === 'audience') {
    for await (const { id, name, created_at } of listAudiences(client, { signal })) {
      yield { id, name, about: `made ${created_at}` };
    }
  } else if (kind === 'automation') {
    for await (const { id, name, status: about } of listAutomations(client, { signal, status })) {
      yield { id, name, about };
    }
  } else {
    for await (const { id, url, status: state, events } of listWebhooks(client, { signal })) {
      yield { id, name: url, about: `${state}: ${events.join(', ')}` };
    }
  }
}

async function hitsOf(kind: NamedKind, objects: AsyncIterable<NamedId>, given: string): Promise<NamedId[]> {
  const hits: NamedId[] = [];
  for await (const one of objects) {
    if (one.name === given || (kind === 'webhook' && isUrl(one.name, given))) {
      hits.push(one);
    }
  }
  return hits;
}

/** True if both are the same URL. The user may have given it without https://, as `webhooks ls` shows it. */
function isUrl(url: string, given: string): boolean {
  return isSameUrl(url, given) || isSameUrl(url, `https://${given}`);
}

function usage(message: string, hint: string): SvcError {
  return new SvcError(EXIT.usage, 'not_one', message, { hint });
}
