import { EXIT, SvcError } from '../../base/lib/errors.ts';
import { LIMITS } from '../../wire/limits.ts';
import type { Client } from '../client.ts';
import type { SendOptions, WriteOutcome } from '../retry/key-source.ts';
import { createObjectReader, encodeJsonBody } from './json-bodies.ts';

/** One transactional message. svc never sends it to a list, because it also reaches people who unsubscribed (M6). */
export interface NewEmail {
  readonly from: string;
  readonly to: readonly string[];
  readonly subject: string;
  readonly text?: string | undefined;
  readonly html?: string | undefined;
}

export interface AcceptedEmail {
  readonly id: string;
}

/**
 * POST /v1/emails, to at most 50 recipients. The service sends the message once for each key, even if the request is
 * repeated.
 */
export function sendEmail(
  client: Client,
  { from, to, subject, text, html }: NewEmail,
  { keySource, signal }: SendOptions,
): Promise<WriteOutcome<AcceptedEmail>> {
  if (to.length < 1 || to.length > LIMITS.emailRecipients) {
    const message = `a message needs 1 to ${LIMITS.emailRecipients} recipients, not ${to.length}`;
    throw new SvcError(EXIT.usage, 'too_many_recipients', message);
  }
  const body = encodeJsonBody({ from, to, subject, text, html });
  return client.post({ ...keySource, segments: ['emails'], body, policy: 'email', parseResponse: readEmail }, signal);
}

const readEmail = createObjectReader<AcceptedEmail>({ id: 'string' });
