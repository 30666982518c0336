import type { Entry } from './names.tsx';

/** An audit entry as a CSV row: all its details are in one cell. */
export function exportRow(entry: Entry): Record<string, string> {
  const {
    Id,
    At,
    Action,
    ActorKind,
    ActorId,
    ActorName,
    TargetKind,
    TargetId,
    TargetName,
    IpAddress,
    TraceId,
  } = entry;
  return {
    Id,
    At,
    Action,
    ActorKind,
    ActorId: ActorId ?? '',
    ActorName: ActorName ?? '',
    TargetKind,
    TargetId: TargetId ?? '',
    TargetName: TargetName ?? '',
    IpAddress: IpAddress ?? '',
    TraceId: TraceId ?? '',
    Details: JSON.stringify(entry.Details),
  };
}
