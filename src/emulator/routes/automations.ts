import { AUTOMATION_STATUSES } from '../../wire/words.ts';
import type { Call, Route } from '../context.ts';
import { type Answer, invalid } from '../http/envelope.ts';
import { listAutomations } from '../store/automations.ts';
import { readPage, toPage } from './pagination.ts';
import { automationItem } from './shapes.ts';

/** Document, "Automations", reading. */
export const AUTOMATION_ROUTES: readonly Route[] = [{ method: 'GET', path: '/v1/automations', action: list }];

function list(call: Call): Answer {
  const status = readStatus(call.query.get('status'));
  const page = readPage(call.query);
  const rows = listAutomations(call.world.store, { organization: call.caller.organization, status }, page);
  return { status: 200, body: toPage(rows, page.limit, (row) => automationItem(call.world.ids, row)) };
}

function readStatus(status: string | null): string | null {
  if (status !== null && !AUTOMATION_STATUSES.some((known) => known === status)) {
    throw invalid(`status must be one of ${AUTOMATION_STATUSES.join(', ')}.`, 'status');
  }
  return status;
}
