import { type AUTOMATION_TRIGGERS, ENROLLMENT_OUTCOMES, type EnrollmentOutcome } from '../../wire/service-words.ts';
import type { Automation, EnrollmentResult } from '../../wire/shapes.ts';
import type { Client } from '../client.ts';
import { contentKey, type KeySource, type SendOptions, type WriteOutcome } from '../retry/key-source.ts';
import { checkId, checkListAddress } from './ids.ts';
import { createObjectDecoder, createObjectReader, encodeJsonBody } from './json-bodies.ts';
import { type ListOptions, listAll } from './pages.ts';

/**
 * GET /v1/automations, all pages, newest first. Archived automations are listed only with `status: 'archived'`. svc
 * sends `status` unchanged, even a word that it does not know.
 */
export function listAutomations(
  client: Client,
  { status, ...options }: ListOptions & { readonly status?: string | undefined } = {},
): AsyncGenerator<Automation> {
  return listAll(client, { segments: ['automations'], query: { status }, decode: decodeAutomation, ...options });
}

/** True if the automation can mail people. An unknown status counts as true, because mail can't be taken back. */
export function mayMailPeople({ status }: Pick<Automation, 'status'>): boolean {
  return status !== 'draft' && status !== 'archived';
}

/**
 * True if the automation can start without an enrollment request. An unknown trigger counts as true, because it may
 * mail people.
 */
export function startsByItself({ trigger }: Pick<Automation, 'trigger'>): boolean {
  return trigger !== BY_API;
}

const BY_API: (typeof AUTOMATION_TRIGGERS)[number] = 'api';

/** A person to enroll in an automation. */
export interface Enrollment {
  readonly automationId: string;
  readonly email: string;
  /** Random hex digits, so that the same content gets a new key. Undefined if the key depends only on the content. */
  readonly keySuffix: string | undefined;
  /** True if svc may never repeat a request that may have arrived, not even with the same key. */
  readonly atMostOnce: boolean | undefined;
  /** True if the user decided with `runs resolve` that earlier requests did not enroll the person (I2). */
  readonly isStoredErrorHarmless?: boolean;
}

export function enrollmentKey(client: Client, enrollment: Enrollment): KeySource['keyForVersion'] {
  const destination = [client.origin, enrollment.automationId];
  const body = enrollmentBody(enrollment);
  return (keyVersion) => contentKey({ op: 'enroll', destination, body, keyVersion, keySuffix: enrollment.keySuffix });
}

/**
 * POST /v1/automations/{id}/enroll. It mails a person, so after an unknown outcome it is repeated only with the same
 * key and within 4 min 30 s. It never sends `attributes`, because even `{}` would subscribe an unknown person (M1).
 * Callers must check `outcome` (M2).
 */
export function postEnrollment(
  client: Client,
  enrollment: Enrollment,
  { keySource, signal }: SendOptions,
): Promise<WriteOutcome<EnrollmentResult>> {
  const segments = ['automations', checkId('automation', enrollment.automationId), 'enroll'];
  const body = enrollmentBody(enrollment);
  const { atMostOnce, isStoredErrorHarmless } = enrollment;
  return client.post(
    {
      ...keySource,
      segments,
      body,
      policy: 'once',
      needsServerTime: true,
      atMostOnce,
      isStoredErrorHarmless,
      parseResponse: readEnrollment,
      isCurable,
    },
    signal,
  );
}

const decodeAutomation = createObjectDecoder<Automation>('an automation', {
  id: 'string',
  name: 'string',
  status: 'string',
  trigger: 'string',
  audience_id: 'string',
  live_version: 'number|null',
  sandbox: 'boolean?',
  created_at: 'string?',
});
const readEnrollment = createObjectReader<EnrollmentResult>({ outcome: 'string' });

/** The two outcomes that prove an enrollment. Any other can change with the contact, the plan or the automation. */
export const LASTING_OUTCOMES: readonly string[] = ['enrolled', 'already_enrolled'] satisfies EnrollmentOutcome[];

function isCurable({ outcome }: EnrollmentResult): boolean {
  return ENROLLMENT_OUTCOMES.some((known) => known === outcome) && !LASTING_OUTCOMES.includes(outcome);
}

function enrollmentBody({ email }: Enrollment): Buffer {
  return encodeJsonBody({ email: checkListAddress(email) });
}
