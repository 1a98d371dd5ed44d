import type { Route } from '../context.ts';
import { AUDIENCE_ROUTES } from './audiences.ts';
import { AUTOMATION_ROUTES } from './automations.ts';
import { CONTACT_ROUTES } from './contacts.ts';
import { BATCH_ROUTES } from './contacts-batch.ts';
import { DELIVERY_ROUTES } from './deliveries.ts';
import { EMAIL_ROUTES } from './emails.ts';
import { ENROLL_ROUTES } from './enroll.ts';
import { SUPPRESSION_ROUTES } from './suppressions.ts';
import { WEBHOOK_ROUTES } from './webhooks.ts';

/** Every route of the service. */
export const ROUTES: readonly Route[] = [
  ...AUTOMATION_ROUTES,
  ...AUDIENCE_ROUTES,
  ...CONTACT_ROUTES,
  ...BATCH_ROUTES,
  ...SUPPRESSION_ROUTES,
  ...ENROLL_ROUTES,
  ...WEBHOOK_ROUTES,
  ...DELIVERY_ROUTES,
  ...EMAIL_ROUTES,
];
