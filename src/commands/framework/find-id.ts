import { changedNameNote, listAudiences } from '../../api/resources/audiences.ts';
import { listAutomations } from '../../api/resources/automations.ts';
import { checkId } from '../../api/resources/ids.ts';
import { listWebhookEndpoints } from '../../api/resources/webhooks.ts';
import { EXIT, SvcError } from '../../base/lib/errors.ts';
import { shellWord, terminalSafe } from '../../base/lib/text.ts';
import { isSameUrl } from '../../wire/same-value.ts';
import { ID_PREFIXES } from '../../wire/service-words.ts';
import type { Audience } from '../../wire/shapes.ts';
import type { Invocation } from './invocation.ts';
import { commandToPaste } from './output/command-to-paste.ts';
import { writeNote } from './output/print.ts';
import type { Account } from './settings/account.ts';

type NamedKind = 'audience' | 'automation' | 'webhook';

/**
 * True if the text is a name (for an endpoint: a URL) and not an id. Text that begins with an id prefix such as `aud_`
 * is an id, even of another kind of object.
 */
export function isObjectName(kind: NamedKind, idOrName: string): boolean {
  const isId = idOrName === '' || Object.values(ID_PREFIXES).some((prefix) => idOrName.startsWith(prefix));
  // `webhooks ls` shows URLs without https://, so users may type them like that.
  return kind === 'webhook' ? /^https?:\/\//i.test(idOrName) || (!isId && /^[^\s/]+\.[^\s/]/.test(idOrName)) : !isId;
}

/**
 * Finds the id of an object that the user gave by id or exact name. If several objects have the name, throws a usage
 * error that lists a command with the id of each (L3).
 */
export async function findId(
  kind: NamedKind,
  idOrName: string,
  { client }: Pick<Account, 'client'>,
  { context, argv }: Pick<Invocation<unknown>, 'context' | 'argv'>,
): Promise<string> {
  if (!isObjectName(kind, idOrName)) {
    return checkId(kind, idOrName);
  }
  const { signal } = context;
  const isMeant = ({ name }: NamedId) => name === idOrName || (kind === 'webhook' && isUrl(name, idOrName));
  let hits = (await listNamed(kind, client, { signal })).filter(isMeant);
  if (kind === 'automation' && hits.length === 0) {
    // The default list has no archived automations. Without this second list, svc would say that an archived automation
    // does not exist.
    hits = (await listNamed(kind, client, { signal, status: 'archived' })).filter(isMeant);
  }
  const [hit, another] = hits;
  if (hit !== undefined && another === undefined) {
    return hit.id;
  }
  const plural = `${hits.length} ${kind}s have the ${NAMES[kind]} "${terminalSafe(idOrName)}"`;
  const index = indexOfName(idOrName, argv);
  const withId = ({ id, about }: NamedId) =>
    `The one ${terminalSafe(about)}:\n${['svc', ...argv.with(index, id)].map(shellWord).join(' ')}`;
  throw hit === undefined
    ? usage(
        `no ${kind} has the ${NAMES[kind]} "${terminalSafe(idOrName)}"`,
        `Ids of this kind start with ${ID_PREFIXES[kind]}. See: svc ${kind}s ls`,
      )
    : usage(plural, `Choose one by its id:\n${hits.map(withId).join('\n')}`);
}

/**
 * Writes notes to stderr that other objects have the name or URL of an object that was just written. Equal names are no
 * error, because the service allows them.
 */
export function noteSameName(
  kind: keyof typeof ADVICE_FOR_SAME_NAME,
  others: readonly { readonly id: string }[],
  invocation: Invocation<unknown>,
): void {
  const { context, settings } = invocation;
  for (const { id } of settings.output.quiet ? [] : others) {
    const show = commandToPaste([`${kind}s`, 'get', id], invocation);
    writeNote(context, `${terminalSafe(id)} has the same ${NAMES[kind]}. ${ADVICE_FOR_SAME_NAME[kind]} See: ${show}`);
  }
}

/**
 * Writes a note to stderr if the service stored another name than the user gave. Later commands would not find the
 * audience by the given name.
 */
export function noteChangedName(
  asked: string,
  audience: Pick<Audience, 'id' | 'name'>,
  { context, settings }: Invocation<unknown>,
): void {
  const note = settings.output.quiet ? undefined : changedNameNote(asked, audience);
  if (note !== undefined) {
    writeNote(context, note);
  }
}

const ADVICE_FOR_SAME_NAME = {
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
 * The index of the name among the words of the line. A word after a flag may be the value of that flag, so a word
 * elsewhere is preferred.
 */
function indexOfName(idOrName: string, argv: readonly string[]): number {
  const argument = argv.findIndex((word, index) => word === idOrName && !argv[index - 1]?.startsWith('--'));
  return argument < 0 ? argv.indexOf(idOrName) : argument;
}

/** All objects of a kind. Lists automations by status; by default all that are not archived. */
function listNamed(
  kind: NamedKind,
  client: Account['client'],
  options: { readonly signal: AbortSignal; readonly status?: string },
): Promise<NamedId[]> {
  switch (kind) {
    case 'audience':
      return Array.fromAsync(listAudiences(client, options), (one) => ({ ...one, about: `made ${one.created_at}` }));
    case 'automation':
      return Array.fromAsync(listAutomations(client, options), (one) => ({ ...one, about: `that is ${one.status}` }));
    case 'webhook':
      return Array.fromAsync(listWebhookEndpoints(client, options), ({ id, url: name, status, events }) => ({
        id,
        name,
        about: `that is ${status}, for ${events.join(', ')}`,
      }));
  }
}

/** True if both are the same URL. `given` may lack https://, because `webhooks ls` shows URLs like that. */
function isUrl(url: string, given: string): boolean {
  return isSameUrl(url, given) || isSameUrl(url, `https://${given}`);
}

function usage(message: string, hint: string): SvcError {
  return new SvcError(EXIT.usage, 'not_one', message, { hint });
}
