import type { Route } from '../context/action-context.ts';
import { AUDIENCE_ROUTES } from './audiences.ts';
import { AUTOMATION_ROUTES } from './automations.ts';
import { BATCH_ROUTES, CONTACT_ROUTES } from './contacts.ts';
import { EMAIL_ROUTES } from './emails.ts';
import { SUPPRESSION_ROUTES } from './suppressions.ts';
import { WEBHOOK_ROUTES } from './webhooks.ts';

/**
 * Every route of the service. Functions that exist only in the web app, or that the service document does not show,
 * have no route.
 */
export const ROUTES: readonly Route[] = [
  ...AUTOMATION_ROUTES,
  ...AUDIENCE_ROUTES,
  ...CONTACT_ROUTES,
  ...BATCH_ROUTES,
  ...SUPPRESSION_ROUTES,
  ...WEBHOOK_ROUTES,
  ...EMAIL_ROUTES,
];
