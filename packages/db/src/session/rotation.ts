/**
 * How a refresh token's nonce is used (docs/sessions.md), as parts of statements for any table `s` with the columns
 * `refresh_…`, and rows `held` with a nonce that was shown, and a fresh one.
 */

const ADOPTED = 's.refresh_next = held.nonce';

const GRACE_BEGAN = '(now() - make_interval(secs => :graceSeconds))';

/** The current nonce is used, and its successor was given out before the grace period and never used. */
const VOIDS = `(s.refresh_current = held.nonce and s.refresh_next_at <= ${GRACE_BEGAN})`;

/**
 * The nonces, or their times, that stay when another is overtaken: none if the latest is past its grace period, else
 * all but the oldest two past theirs. The list soon has only recent ones, and is planned in half the time.
 */
const kept = (column: 'refresh_overtaken' | 'refresh_overtaken_at'): string => `
         case
           when s.refresh_overtaken_at[cardinality(s.refresh_overtaken_at)] <= ${GRACE_BEGAN} then '{}'
           when s.refresh_overtaken_at[2] <= ${GRACE_BEGAN} then s.${column}[3:]
           when s.refresh_overtaken_at[1] <= ${GRACE_BEGAN} then s.${column}[2:]
           else s.${column}
         end`;

/** The position of an overtaken nonce; the nonce after it is the one that overtook it. */
const placeOf = (nonce: string): string => `array_position(s.refresh_overtaken, ${nonce})`;

export const IS_ACCEPTED = `(
             given.nonce in (s.refresh_current, s.refresh_next)
             or s.refresh_overtaken_at[${placeOf('given.nonce')}] > ${GRACE_BEGAN}
           )`;

/** The assignments that use `held.nonce`. */
export const ROTATED = `
       refresh_overtaken = case when ${ADOPTED} then ${kept('refresh_overtaken')} || s.refresh_current
         else s.refresh_overtaken end,
       refresh_overtaken_at = case when ${ADOPTED} then ${kept('refresh_overtaken_at')} || now()
         else s.refresh_overtaken_at end,
       refresh_current = case when ${ADOPTED} then s.refresh_next else s.refresh_current end,
       refresh_next = case when ${ADOPTED} or ${VOIDS} then held.fresh else s.refresh_next end,
       refresh_next_at = case when ${ADOPTED} or ${VOIDS} then now() else coalesce(s.refresh_next_at, now()) end,
       last_seen_at = greatest(s.last_seen_at, now())`;

/** The nonce of the refresh token to return, read after the assignments. */
export const SUCCESSOR = `
       case when held.nonce = s.refresh_current then s.refresh_next
         else coalesce(s.refresh_overtaken[${placeOf('held.nonce')} + 1], s.refresh_current) end`;

export const OVERTAKEN = `
  array(
    select o.nonce
    from unnest(s.refresh_overtaken, s.refresh_overtaken_at) with ordinality as o (nonce, at, place)
    where o.at > ${GRACE_BEGAN}
    order by o.place
  )`;
