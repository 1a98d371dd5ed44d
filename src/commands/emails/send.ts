import { type AcceptedEmail, type NewEmail, sendEmail } from '../../api/resources/emails.ts';
import { checkAddress } from '../../api/resources/ids.ts';
import { badUsage, EXIT, type ExitCode, SvcError } from '../../base/lib/errors.ts';
import { terminalSafe } from '../../base/lib/text.ts';
import { objectText } from '../../render/text/object.ts';
import { createIdempotently } from '../../sending/create-idempotently.ts';
import { LIMITS } from '../../wire/limits.ts';
import { personKey } from '../../wire/person-key.ts';
import { withCreationRun } from '../framework/creation-run.ts';
import { checkValue, type Invocation } from '../framework/invocation.ts';
import { excludeEachOther } from '../framework/output/lines-to-type.ts';
import { print } from '../framework/output/print.ts';
import { isConfirmed } from '../framework/output/prompts.ts';
import { type Account, withAccount } from '../framework/settings/account.ts';
import { checkStdinOnce, readBytes } from '../framework/stdin.ts';
import { withExplanation } from './refusals.ts';

interface SendFlags {
  readonly from?: string;
  readonly to?: readonly string[];
  readonly subject?: string;
  readonly text?: string;
  readonly textFile?: string;
  readonly htmlFile?: string;
}

// The command in the run header of `emails send`. `runs ls` shows it, and `runs resume` recognizes the run by it.
const SEND_EMAIL = 'emails send';

/**
 * `svc emails send`: sends a message once. After a lost response svc may repeat it under its key for 23 hours (M6, I6).
 */
export async function sendMessage(invocation: Invocation<SendFlags>): Promise<ExitCode> {
  const message = await messageOf(invocation);
  await confirmMailing(invocation, pageOf(message), 'Send it? [y/N] ');
  return sendOrResumeMessage(invocation, message);
}

/** Asks the user before a person is mailed (M7). Called before any request. Throws if the user declines. */
export async function confirmMailing(invocation: Invocation<unknown>, page: string, question: string): Promise<void> {
  if (!(await isConfirmed(invocation, { page, question, isPageShown: false }))) {
    throw new SvcError(EXIT.refused, 'declined', 'nothing was sent: the message was declined');
  }
}

function pageOf({ from, to, subject }: NewEmail): string {
  return `From: ${terminalSafe(from)}\nTo: ${to.map(terminalSafe).join(', ')}\nSubject: ${terminalSafe(subject)}\n`;
}

export async function sendOrResumeMessage(
  invocation: Invocation<unknown>,
  message: NewEmail,
  resume?: string,
): Promise<ExitCode> {
  try {
    const show = (accepted: AcceptedEmail) => print(invocation, accepted, objectText);
    await withAccount(invocation, (account) => sendOnce(account, invocation, { message, resume, show }));
    return EXIT.ok;
  } catch (error) {
    throw withExplanation(error);
  }
}

interface EmailRequest {
  readonly message: NewEmail;
  readonly resume?: string | undefined;
  /**
   * Called once the service accepted the message, while its run still exists. After a kill, a resume can then call it
   * again.
   */
  show?(accepted: AcceptedEmail): void;
}

/**
 * Sends the message of `emails send`, or the test message of `svc doctor`. A run stores the message, because a repeat
 * must send the same bytes.
 */
export function sendOnce(
  account: Account,
  invocation: Invocation<unknown>,
  { message, resume, show }: EmailRequest,
): Promise<AcceptedEmail> {
  const creation = {
    command: SEND_EMAIL,
    op: 'email',
    options: { ...message },
    whereToCheck: 'the log of emails in the app',
    resume,
    similarity: {
      isSimilar: (earlier: unknown) => mayHaveReached(earlier as NewEmail, message),
      doing: 'sending this message',
      done: 'sent this message',
    },
  };
  return withCreationRun(creation, account, invocation, async (run) => {
    const { recorded } = await createIdempotently<AcceptedEmail, AcceptedEmail>(run, {
      post: (sendOptions) => sendEmail(account.client, message, sendOptions),
      record: (accepted) => accepted,
    });
    show?.(recorded);
    return recorded;
  });
}

/**
 * True if an earlier message has the same subject and content, and shares a recipient. That recipient may have got the
 * message already (M6).
 */
function mayHaveReached(earlier: NewEmail, { to, subject, text, html }: NewEmail): boolean {
  const isSameText = earlier.subject === subject && earlier.text === text && earlier.html === html;
  const mailboxes = new Set(earlier.to.map(mailboxOf));
  return isSameText && to.some((address) => mailboxes.has(mailboxOf(address)));
}

function mailboxOf(address: string): string {
  return personKey(address.toLowerCase());
}

async function messageOf(invocation: Invocation<SendFlags>): Promise<NewEmail> {
  const { from = '', to = [], subject = '', text, textFile, htmlFile } = invocation.flags;
  const contents = Object.entries({ '--text': text, '--text-file': textFile, '--html-file': htmlFile }).flatMap(
    ([flag, value]) => (value === undefined ? [] : [flag]),
  );
  const missing = [
    ...(from.trim() === '' ? ['--from'] : []),
    ...(to.length === 0 ? ['--to'] : []),
    ...(subject.trim() === '' ? ['--subject'] : []),
    ...(contents.length === 0 ? ['--text (or --text-file or --html-file)'] : []),
  ];
  if (missing.length > 0) {
    throw badUsage(`missing: ${missing.join(', ')}`);
  }
  if (contents.length > 1) {
    throw excludeEachOther(contents);
  }
  return { from: checkSender(from), to: recipientsOf(to), subject, ...(await contentOf(invocation)) };
}

function recipientsOf(given: readonly string[]): string[] {
  const people = Map.groupBy(
    given.map((each) => checkRecipient(each)),
    mailboxOf,
  );
  // Keeps the first spelling of each mailbox, so that no mailbox gets the message twice.
  const to = [...people.values()].map(([first]) => first as string);
  if (to.length > LIMITS.emailRecipients) {
    throw badUsage(`a message goes to at most ${LIMITS.emailRecipients} recipients, not ${to.length}`);
  }
  return to;
}

/** Returns the checked value of --to. Throws if it is not exactly one address. */
export function checkRecipient(text: string, hint = 'Give --to once for each recipient.'): string {
  const address = checkValue('--to', () => checkAddress(text.trim()));
  if (/[,;<>"]/.test(address) || address.indexOf('@') !== address.lastIndexOf('@')) {
    throw badUsage(`--to: not one email address: ${terminalSafe(text)}`, hint);
  }
  return address;
}

/**
 * Returns the checked value of --from: an address, or `Name <address>`. The service checks if its domain is verified.
 */
export function checkSender(text: string): string {
  if (!/^[^\0-\x1f\x7f]*[^\s@]@[^\s@]+$/.test(text.trim()) || !text.isWellFormed()) {
    throw badUsage(`--from: not a sender: ${terminalSafe(text)}`, 'For example: --from news@example.com');
  }
  return text.trim();
}

async function contentOf({
  flags,
  settings,
  context,
}: Invocation<SendFlags>): Promise<Pick<NewEmail, 'text' | 'html'>> {
  const { text, textFile, htmlFile } = flags;
  if (text !== undefined) {
    return { text: requireText('--text', text) };
  }
  checkStdinOnce(settings, [textFile, htmlFile]);
  const flag = textFile === undefined ? '--html-file' : '--text-file';
  const content = requireText(flag, decode(flag, await readBytes(flag, textFile ?? htmlFile ?? '', context)));
  return textFile === undefined ? { html: content } : { text: content };
}

/** Throws for a message without text, for example if a variable is unset or a file is empty. */
function requireText(flag: string, content: string): string {
  if (content.trim() === '') {
    throw badUsage(`${flag}: the message is empty`);
  }
  return content;
}

function decode(flag: string, bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new SvcError(EXIT.usage, 'input_unreadable', `${flag}: the file is not UTF-8`, { cause });
  }
}
