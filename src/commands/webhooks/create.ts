import { resolve } from 'node:path';
import { type CreatedWebhook, createWebhook, getWebhook, type NewWebhook } from '../../api/resources/webhooks.ts';
import { isExpired } from '../../api/retry/key-expiry.ts';
import { SvcError } from '../../base/lib/errors.ts';
import { EXIT, type ExitCode } from '../../base/lib/exit.ts';
import { objectText } from '../../render/text/object.ts';
import type { WebhookEndpoint } from '../../wire/shapes.ts';
import { EVENT_TYPES } from '../../wire/words.ts';
import type { Invocation } from '../framework/invocation.ts';
import { print } from '../framework/output/print.ts';
import type { Account } from '../framework/settings/account.ts';
import { isServedLocally } from '../framework/settings/settings.ts';
import { stateOf } from '../framework/settings/state.ts';
import { withAccount } from '../framework/settings/with-account.ts';
import { type Answered, isGone, readBack, writeOnce } from '../once.ts';
import { checkEndpointUrl } from './endpoint-url.ts';
import { checkEventTypes } from './event-types.ts';
import { madeSince, type Older, olderNote } from './older.ts';
import { refuseSecond } from './refuse-second.ts';
import { openSecretFile, type SecretFile, secretHash } from './secret-file.ts';

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
  await withAccount(invocation, (account) => makeAt(account, invocation, { plan, resume }));
  return EXIT.ok;
}

interface Making {
  readonly plan: EndpointPlan;
  readonly resume: string | undefined;
}

/** What is written down of an answer. The hash tells whether the file of the secret holds it. */
interface KnownEndpoint {
  readonly id: string;
  readonly secret_hash: string;
  /** What earlier attempts made. */
  readonly older: readonly Older[];
}

async function makeAt(account: Account, invocation: Invocation<unknown>, { plan, resume }: Making): Promise<void> {
  const { context, settings } = invocation;
  const { client } = account;
  const tell = (message: string) => context.stderr.write(`note: ${message}\n`);
  const note = (message: string) => (settings.output.quiet ? undefined : tell(message));
  const state = stateOf(context, settings);
  const creation = { command: CREATE_WEBHOOK, origin: account.origin, options: { ...plan } };
  let file: SecretFile | undefined;
  let older: readonly Older[] = [];
  try {
    await writeOnce<CreatedWebhook, KnownEndpoint, void>(
      {
        ...creation,
        op: 'webhook',
        mayBegin: () => refuseSecond(state, creation),
        look: 'svc webhooks ls',
        post: (keyed) => createWebhook(client, endpointOf(plan), { keyed, signal: context.signal }),
        // Within the window the same key is safe; later, what is there already is looked at first (rule W1).
        again: async ({ begunAt, firstSentAt }) => {
          older = await madeSince(begunAt, { account, plan, context });
          return isExpired('once', client.serverNow() - firstSentAt);
        },
        know: ({ id, secret }) => ({
          id,
          secret_hash: secretHash(secret),
          older: older.filter((one) => one.id !== id),
        }),
        refused: () => older.forEach((one) => tell(olderNote(one))),
        prepare: (known) => {
          file =
            plan.secret_file === undefined
              ? undefined
              : openSecretFile(plan.secret_file, { user: context.platform.user, hash: known?.secret_hash });
        },
        needsAnswer: () => !file?.filled,
        keep: async (known, answered) => {
          const { id } = known;
          if (answered && file) {
            context.hide(answered.value.secret, '[secret]');
            file.fill(answered.value.secret);
          }
          known.older.forEach((one) => tell(olderNote(one)));
          const endpoint = await current(account, { id, answered, file, signal: context.signal });
          const where = file ? { secret_file: file.path } : { secret: answered?.value.secret };
          print(invocation, { ...endpoint, ...where }, objectText);
        },
      },
      { account, context, state, resume, note },
    );
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

interface Made {
  readonly id: string;
  readonly answered: Answered<CreatedWebhook> | undefined;
  readonly file: SecretFile | undefined;
  readonly signal: AbortSignal;
}

/** A replay tells what was answered then; the endpoint may have been changed or deleted since (design, "Idempotency keys"). */
async function current({ client }: Account, { id, answered, file, signal }: Made): Promise<WebhookEndpoint> {
  if (answered && !answered.replayed) {
    const { secret: _, ...endpoint } = answered.value;
    return endpoint;
  }
  try {
    return await readBack(`endpoint ${id}`, () => getWebhook(client, id, { signal }));
  } catch (error) {
    if (isGone(error)) {
      file?.empty();
    }
    throw error;
  }
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
