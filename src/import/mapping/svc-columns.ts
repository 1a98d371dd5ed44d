/** The columns that svc puts before the input's own in a rejects file, in this order. */
export const SVC_COLUMNS = ['svc_file', 'svc_line', 'svc_column', 'svc_reason', 'svc_detail', 'svc_state'] as const;

/** Position of svc_state among them. */
export const SVC_STATE_AT = 5;

/** How many columns at the left of a header are svc's own: all of them in a rejects file given back, else none. */
export function countSvcColumns(header: readonly string[]): number {
  const own = SVC_COLUMNS.every((name, at) => header[at]?.trim() === name);
  return own ? SVC_COLUMNS.length : 0;
}
