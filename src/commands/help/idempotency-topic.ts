/** `svc help idempotency` */
export const IDEMPOTENCY_HELP = `IDEMPOTENCY

Every POST carries an Idempotency-Key, and the key is on disk before the first
byte is sent. PATCH, DELETE and GET carry none.

CONTENT KEYS  contact batches, suppressions, enrolments
  svc1.<op>.<destination>.<body>.g<N>: hashes of where it goes and of the exact
  bytes. The same rows to the same place make the same key on any machine, so a
  run repeated within 24 hours replays instead of writing. Keys hold no names,
  addresses or paths.

ONE-TIME KEYS  audiences create, webhooks create, emails send
  svc1.<op>.<random>: kept in a run until the answer is there. After a lost
  answer the same command, or svc runs resume, asks again with the same key. A
  new command makes a new key.

WHAT IS REPEATED, AND FOR HOW LONG
  contact batches, suppressions   may be written twice without harm; in doubt
                                  the same key is sent again
  enrolments, creations           same key only, within 4 min 30 s of the first
                                  send; then "unknown", for you to decide
  a webhook's secret              later too: svc looks by URL first, then sends
                                  the same key once
  emails send                     23 hours; the service sends once

REPLAYS
  A replay (Idempotency-Replayed: true) writes nothing: people deleted since
  stay deleted. Replays are counted apart.
  A refusal that is replayed after its cause is gone takes the next generation
  (g1 to g9) of the key.
  --again writes the same rows once more, on purpose. --at-most-once never
  repeats an enrolment in doubt.
`;
