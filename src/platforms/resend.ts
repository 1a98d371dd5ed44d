import { assignColumns, type ColumnRoles } from './lib/columns.ts';
import { countHeaders } from './lib/headers.ts';
import type { Platform, TableReading, TableShape } from './lib/platform.ts';
import { stateByYesOrNo } from './lib/state-columns.ts';
import { SUBSCRIBED, UNSUBSCRIBED } from './lib/status-words.ts';

const ROLES: ColumnRoles = { state: ['unsubscribed'], internal: ['id', 'created_at'] };

/** Resend contact export, by the field names of Resend's API and import. */
export const resend: Platform = { id: 'resend', title: 'Resend', certainty, read };

function certainty({ header, name }: TableShape): number {
  const bare = header.join(',');
  const knownHeaders = [
    'id,email,first_name,last_name,created_at,unsubscribed',
    'email,first_name,last_name,unsubscribed',
  ];
  return knownHeaders.includes(bare)
    ? 80
    : /^resend[-_ ]/i.test(name) && countHeaders(header, 'unsubscribed') > 0
      ? 50
      : 0;
}

function read(shape: TableShape): TableReading {
  return {
    ...assignColumns(shape, ROLES),
    ...stateByYesOrNo(shape.header, { yes: UNSUBSCRIBED, no: SUBSCRIBED, blank: SUBSCRIBED }, 'unsubscribed'),
  };
}
