import { CONTACT_POINTS } from './contacts.ts';
import { EMAIL_POINTS } from './emails.ts';
import { ENROLLMENT_POINTS } from './enrollments.ts';
import type { OpenPoint } from './point.ts';
import { REQUEST_POINTS } from './requests.ts';
import { WEBHOOK_POINTS } from './webhooks.ts';

/** Open points that the other tests of this folder do not check, or only in part. */
export const OPEN_POINTS: readonly OpenPoint[] = [
  ...REQUEST_POINTS,
  ...CONTACT_POINTS,
  ...ENROLLMENT_POINTS,
  ...EMAIL_POINTS,
  ...WEBHOOK_POINTS,
];
