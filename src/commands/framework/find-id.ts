import { listAudiences, otherNameNote } from '../../api/resources/audiences.ts';
import { listAutomations } from '../../api/resources/automations.ts';
import { checkId } from '../../api/resources/ids.ts';
import { listWebhooks } from '../../api/resources/webhooks.ts';
import { SvcError } from '../../base/lib/errors.ts';
import { EXIT } from '../../base/lib/exit.ts';
import { safe, shellWord } from '../../base/lib/text.ts';
import { wrap } from '../../render/text/wrap.ts';
import { isSameUrl } from '../../wire/same-value.ts';
import { ID_PREFIXES } from '../../wire/service-words.ts';
import type { Audience } from '../../wire/shapes.ts';
import type { Invocation } from './invocation.ts';
import { commandToPaste } from './output/command-to-paste.ts';
import type { Account } from './settings/account.ts';

type NamedKind = 'audience' | 'automation' | 'webhook';

/** True if the text is a name (for a webhook, a URL). Text with the prefix of any kind is meant as an id. */
export function isName(kind: NamedKind, given: string): boolean {
  const isId = given === '' || Object.values(ID_PREFIXES).some((prefix) => given.startsWith(prefix));
  // `webhooks ls` shows URLs without https://.
  return kind === 'webhook' ? /^https?:\/\//i.test(given) || (!isId && /^[^\s/]+\.[^\s/]/.test(given)) : !isId;
}

/** The id for an id or an exact name. Several hits are a usage error that lists the commands with ids (L3). */
export async function findId(
  kind: NamedKind,
  given: string,
  { client }: Pick<Account, 'client'>,
  { context, line }: Pick<Invocation<unknown>, 'context' | 'line'>,
): Promise<string> {
  if (!isName(kind, given)) {
    return checkId(kind, given);
  }
  const { signal } = context;
  let hits = await hitsOf(kind, eachNamed(kind, client, signal), given);
  if (kind === 'automation' && hits.length === 0) {
    // The list hides archived ones. The user should read that it is archived, not that it does not exist.
    hits = await hitsOf(kind, eachNamed(kind, client, signal, 'archived'), given);
  }
  const [hit, another] = hits;
  if (hit !== undefined && another === undefined) {
    return hit.id;
  }
  const plural = `${hits.length} ${kind}s have the ${NAMES[kind]} "${safe(given)}"`;
  const at = placeOf(given, line);
  const withId = ({ id, about }: NamedId) =>
    `${['svc', ...line.with(at, id)].map(shellWord).join(' ')}   # ${safe(about)}`;
  throw hit === undefined
    ? usage(
        `no ${kind} has the ${NAMES[kind]} "${safe(given)}"`,
        `Ids of this kind start with ${ID_PREFIXES[kind]}. See: svc ${kind}s ls`,
      )
    : usage(plural, `Choose one by its id:\n${hits.map(withId).join('\n')}`);
}

/** The objects that have this name already, or this URL. With -q nothing is asked. */
export async function namedAlready(
  kind: NamedKind,
  name: string,
  client: Account['client'],
  { context, settings }: Invocation<unknown>,
): Promise<readonly { readonly id: string }[]> {
  return settings.output.quiet ? [] : hitsOf(kind, eachNamed(kind, client, context.signal), name);
}

/** Notes objects with the name of one that was just written. The service permits it, so it is no error. */
export function noteSameName(
  kind: keyof typeof SAME,
  others: readonly { readonly id: string }[],
  invocation: Invocation<unknown>,
): void {
  const { context, settings } = invocation;
  for (const { id } of settings.output.quiet ? [] : others) {
    const show = commandToPaste([`${kind}s`, 'get', id], invocation);
    const note = `note: ${safe(id)} has the same ${NAMES[kind]}. ${SAME[kind]} See: ${show}`;
    context.stderr.write(`${wrap(note, context.stderr.columns).join('\n')}\n`);
  }
}

/** Notes that the service wrote a name in another way than asked. A later command would not find the audience. */
export function noteOtherName(
  asked: string,
  audience: Pick<Audience, 'id' | 'name'>,
  { context, settings }: Invocation<unknown>,
): void {
  const note = settings.output.quiet ? undefined : otherNameNote(asked, audience);
  if (note !== undefined) {
    context.stderr.write(`${wrap(`note: ${note}`, context.stderr.columns).join('\n')}\n`);
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
  /** What distinguishes the object from others with the same name. */
  readonly about: string;
}

/** The index of the name in the line. If the word occurs twice, the one after a flag is the value of that flag. */
function placeOf(given: string, line: readonly string[]): number {
  const argument = line.findIndex((word, at) => word === given && !line[at - 1]?.startsWith('--'));
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

/** True if it is the given URL. The service may show another form, and `webhooks ls` shows URLs without https://. */
function isUrl(url: string, given: string): boolean {
  return isSameUrl(url, given) || isSameUrl(url, `https://${given}`);
}

function usage(message: string, hint: string): SvcError {
  return new SvcError(EXIT.usage, 'not_one', message, { hint });
}
