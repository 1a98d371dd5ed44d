import { isNotFound } from '../../api/http/api-error.ts';
import { getContact, listContacts } from '../../api/resources/contacts.ts';
import { checkAddress, checkId } from '../../api/resources/ids.ts';
import { EXIT, type ExitCode, rewordError } from '../../base/lib/errors.ts';
import { terminalSafe } from '../../base/lib/text.ts';
import { contactsTable, contactText } from '../../render/lists/resources.ts';
import { LIMITS } from '../../wire/limits.ts';
import { CONTACT_STATUSES } from '../../wire/service-words.ts';
import type { Contact } from '../../wire/shapes.ts';
import type { Invocation } from '../framework/invocation.ts';
import { checkLsFlags, checkStatusWord, type LsFlags, pageSizeOf } from '../framework/output/ls-flags.ts';
import { print } from '../framework/output/print.ts';
import { printList } from '../framework/output/print-list.ts';
import { type AudienceFlags, withOpenAudience } from '../mailing-list-commands/flags/audience-target.ts';

interface ContactLsFlags extends AudienceFlags, LsFlags {
  readonly status?: string;
}

interface GetFlags extends AudienceFlags {
  readonly topics?: boolean;
}

export async function printContacts(invocation: Invocation<ContactLsFlags>): Promise<ExitCode> {
  const { flags, context } = invocation;
  checkLsFlags(invocation);
  checkContactStatus(flags.status);
  // With --status, svc reads all pages and filters the contacts itself. Few contacts may have the status, so it reads
  // the largest pages.
  const limit = flags.status === undefined ? pageSizeOf(invocation) : LIMITS.pageSizeMax;
  await withOpenAudience(invocation, ({ account, audience }) => {
    const pages = listContacts(account.client, audience.id, { limit, signal: context.signal });
    return printList(invocation, contactsOfStatus(pages, flags.status), contactsTable);
  });
  return EXIT.ok;
}

export async function printContact(invocation: Invocation<GetFlags>): Promise<ExitCode> {
  const { flags, context, args } = invocation;
  const typed = args[0] ?? '';
  const idOrEmail = typed.includes('@') ? checkAddress(typed) : checkId('contact', typed);
  const contact = await withOpenAudience(invocation, async ({ account, audience: { id: audienceId, name } }) => {
    const query = { audienceId, idOrEmail, includeTopics: flags.topics, signal: context.signal };
    return getContact(account.client, query).catch((error: unknown) => {
      // svc has found the audience, so the 404 is about the person, who may be in another audience.
      const message = `${terminalSafe(`${name} (${audienceId})`)} has no contact ${terminalSafe(idOrEmail)}`;
      const isMissing = idOrEmail.includes('@') && isNotFound(error);
      throw isMissing ? rewordError(error, { message, hint: 'Another audience may have it: svc audiences ls' }) : error;
    });
  });
  print(invocation, contact, contactText);
  return EXIT.ok;
}

/**
 * Throws a usage error for an unknown status. svc filters contacts itself, so a status with a typing error would print
 * an empty list.
 */
export function checkContactStatus(status: string | undefined): void {
  checkStatusWord(status, CONTACT_STATUSES, 'contacts');
}

async function* contactsOfStatus(
  pages: AsyncIterable<readonly Contact[]>,
  status: string | undefined,
): AsyncGenerator<Contact> {
  for await (const page of pages) {
    yield* status === undefined ? page : page.filter((contact) => contact.status === status);
  }
}
