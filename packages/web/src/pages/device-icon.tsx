import { ComputerIcon, PhoneIcon, TabletIcon } from '../ui/icon.tsx';
import { kindOfDevice } from './device.ts';

const ICONS = { phone: PhoneIcon, tablet: TabletIcon, computer: ComputerIcon };

/** A phone, a tablet or a computer. */
export function DeviceIcon({ userAgent }: { userAgent: string | null }) {
  const Icon = ICONS[kindOfDevice(userAgent ?? '')];
  return <Icon />;
}
