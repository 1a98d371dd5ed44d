import { resolve } from 'node:path';
import { ONCE } from '../../api/retry.ts';
import { type CreatedWebhook, createWebhook, getWebhook, listWebhooks, type NewWebhook } from '../../api/webhooks.ts';
import { SvcError } from '../../base/errors.ts';
import { EXIT, type ExitCode } from '../../base/exit.ts';
import { safe } from '../../base/text.ts';
import { objectText } from '../../render/object-text.ts';
import type { WebhookEndpoint } from '../../wire/shapes.ts';
import { EVENT_TYPES } from '../../wire/words.ts';
import type { Account } from '../account.ts';
import type { Invocation } from '../invocation.ts';
import { type Answered, writeOnce } from '../once.ts';
import { gather, print } from '../print.ts';
import { isServedLocally } from '../settings.ts';
import { stateOf } from '../state.ts';
import { withAccount } from '../with-account.ts';
import { checkEndpointUrl } from './endpoint-url.ts';
import { checkEventTypes } from './event-types.ts';
import { refuseSecond } from './refuse-second.ts';
import { openSecretFile } from './secret-file.ts';

/** Flags of `webhooks create`. */
export interface CreateFlags {
  readonly url?: string;
  readonly event?: readonly string[];
  readonly description?: string;
  readonly secretFile?: string;
}

/** What a creation is made of, as its run keeps it. `secret_file` is absolute. */
export interface EndpointPlan {
  readonly url: string;
  readonly events: readonly string[];
  readonly description?: string | undefined;
  readonly secret_file?: string | undefined;
}

/** The words under which the run of a creation is listed; resume.ts knows them. */
const CREATE_WEBHOOK = 'webhooks create';

/** `webhooks create`: whatever happens to the answer, the secret is neither lost nor printed where it stays (rule W1). */
export async function createEndpoint(invocation: Invocation<CreateFlags>): Promise<ExitCode> {
  const { context, flags, settings } = invocation;
  const plan: EndpointPlan = {
    url: checkEndpointUrl(required('--url', flags.url), isServedLocally(settings)),
    events: checkEventTypes(someEvents(flags.event)),
    ...(flags.description === undefined ? {} : { description: flags.description }),
    ...(flags.secretFile === undefined ? {} : { secret_file: resolve(context.cwd, flags.secretFile) }),
  };
  return makeEndpoint(invocation, plan);
}

/** Makes the endpoint of a plan, or goes on with a run that was to make it. */
export async function makeEndpoint(
  invocation: Invocation<unknown>,
  plan: EndpointPlan,
  resume?: string,
): Promise<ExitCode> {
  requirePlaceForSecret(invocation, plan, resume);
  const made = await withAccount(invocation, (account) => makeAt(account, invocation, { plan, resume }));
  const { secret, ...endpoint } = made;
  const shown =
    plan.secret_file === undefined ? { ...endpoint, secret } : { ...endpoint, secret_file: plan.secret_file };
  print(invocation, shown, objectText);
  return EXIT.ok;
}

interface Making {
  readonly plan: EndpointPlan;
  readonly resume: string | undefined;
}

async function makeAt(account: Account, invocation: Invocation<unknown>, { plan, resume }: Making) {
  const { context, settings } = invocation;
  const { client } = account;
  const note = (message: string) => {
    context.stderr.write(settings.output.quiet ? '' : `note: ${message}\n`);
  };
  const state = stateOf(context, settings);
  if (resume === undefined) {
    refuseSecond(state, { command: CREATE_WEBHOOK, origin: account.origin, options: { ...plan } });
  }
  const file = plan.secret_file === undefined ? undefined : openSecretFile(plan.secret_file);
  let older: readonly WebhookEndpoint[] = [];
  try {
    const answered = await writeOnce<CreatedWebhook>(
      {
        command: CREATE_WEBHOOK,
        op: 'webhook',
        options: { ...plan },
        post: (keyed) => createWebhook(client, endpointOf(plan), { keyed, signal: context.signal }),
        // Within the window the same key is safe; later, what is there already is looked at first (rule W1).
        again: async (firstSentAt) => {
          older = await sameUrl(account, plan, context.signal);
          return client.serverNow() - firstSentAt > ONCE.startMs;
        },
        keep: ({ value }) => file?.fill(value.secret),
      },
      { account, context, state, resume, note },
    );
    older.filter((endpoint) => endpoint.id !== answered.value.id).forEach((endpoint) => note(olderNote(endpoint)));
    return { ...(await current(account, answered)), secret: answered.value.secret };
  } catch (error) {
    file?.discard();
    throw error;
  } finally {
    file?.close();
  }
}

function endpointOf({ url, events, description }: EndpointPlan): NewWebhook {
  return { url, events, description };
}

async function sameUrl(account: Account, { url }: EndpointPlan, signal: AbortSignal): Promise<WebhookEndpoint[]> {
  const endpoints = await gather(listWebhooks(account.client, { signal }));
  return endpoints.filter((endpoint) => endpoint.url === url);
}

/** A replay tells what was answered then; the endpoint may have been changed or deleted since (design, "Idempotency keys"). */
async function current({ client }: Account, { value, replayed }: Answered<CreatedWebhook>): Promise<WebhookEndpoint> {
  return replayed ? getWebhook(client, value.id) : value;
}

function olderNote({ id, url }: WebhookEndpoint): string {
  return `An older endpoint has the same URL (${safe(url)}) and a secret that nobody holds: svc webhooks delete ${safe(id)}`;
}

function requirePlaceForSecret({ context, settings }: Invocation<unknown>, plan: EndpointPlan, resume?: string): void {
  if (plan.secret_file === undefined && (settings.output.json || !context.stdout.isTTY)) {
    throw new SvcError(EXIT.usage, 'no_secret_file', 'the signing secret is shown once and must not end up in a log', {
      hint:
        resume === undefined
          ? 'Give --secret-file <path>: the secret is written there, readable by you alone.'
          : 'It was begun at a terminal, to be shown there: go on with it at a terminal, without --json.',
    });
  }
}

function someEvents(events: readonly string[] | undefined): readonly string[] {
  if (events === undefined) {
    throw new SvcError(EXIT.usage, 'usage', 'say which events to send there: --event <type>, again for more', {
      hint: `There are ${EVENT_TYPES.join(', ')}.`,
    });
  }
  return events;
}

function required(flag: string, value: string | undefined): string {
  if (value === undefined) {
    throw new SvcError(EXIT.usage, 'usage', `${flag} is missing`, { hint: 'See: svc webhooks create --help' });
  }
  return value;
}
