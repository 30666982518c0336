import type { ActivityKind } from '@gatehouse/db';
import { HOUR, type DemoWorld } from './demo-world.ts';
import type { Row } from './insert-rows.ts';

const DAYS = 30;
/** Roughly how often each kind happens in an hour of a working day. */
const HOURLY: readonly [ActivityKind, number][] = [
  ['login.password', 34],
  ['login.sso.demo', 13],
  ['refused.password', 6],
  ['refused.second-factor', 1.2],
  ['refused.throttled', 0.6],
  ['refused.account_disabled', 0.7],
  ['refused.email_confirmation_pending', 0.5],
  ['registration', 2.4],
  ['verification', 2],
  ['reset', 0.8],
  ['session.logout', 14],
  ['session.expired', 18],
  ['session.replaced', 9],
  ['session.administrator', 0.4],
  ['invitation.sent', 2.2],
  ['invitation.accepted', 1.5],
  ['mail.sent', 8],
  ['mail.parked', 0.15],
  ['refresh', 60],
];

/** The rows of `activity`: busy by day, quiet at night and on weekends, with one evening of password guessing. */
export function inventActivity({ random, now }: DemoWorld): Row[] {
  const newest = Math.floor(now.getTime() / HOUR);
  const rows: Row[] = [];
  for (let hour = newest - DAYS * 24; hour <= newest; hour += 1) {
    const at = new Date(hour * HOUR);
    const isAttack = newest - hour >= 76 && newest - hour <= 78;
    for (const [kind, often] of HOURLY) {
      const factor = isAttack && /^refused\.(password|throttled)$/.test(kind) ? 30 : 1;
      const count = Math.floor(
        often * factor * busyness(at) * (0.6 + random.next() * 0.8) + random.next() * 0.9,
      );
      if (count > 0) rows.push({ at, kind, count });
    }
  }
  return rows;
}

function busyness(at: Date): number {
  const byDay = Math.max(0.05, Math.sin(((at.getUTCHours() - 5) / 15) * Math.PI));
  const isWeekend = at.getUTCDay() % 6 === 0;
  return byDay * (isWeekend ? 0.35 : 1);
}
