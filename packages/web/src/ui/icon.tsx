import type { ComponentChildren } from 'preact';

/**
 * Icons from Lucide (https://lucide.dev), under the ISC licence: see LICENSE-lucide in this folder. They only repeat
 * the text next to them, and are hidden from screen readers.
 */
export function Drawing({ size = 20, children }: { size?: 16 | 20; children: ComponentChildren }) {
  return (
    <svg
      class="icon"
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      stroke-width="1.75"
      stroke-linecap="round"
      stroke-linejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      {children}
    </svg>
  );
}

interface Size {
  size?: 16 | 20;
}

export function CheckIcon(props: Size) {
  return (
    <Drawing {...props}>
      <path d="M20 6 9 17l-5-5" />
    </Drawing>
  );
}

export function CircleIcon(props: Size) {
  return (
    <Drawing {...props}>
      <circle cx="12" cy="12" r="9" />
    </Drawing>
  );
}

export function AlertIcon(props: Size) {
  return (
    <Drawing {...props}>
      <circle cx="12" cy="12" r="10" />
      <path d="M12 8v4" />
      <path d="M12 16h.01" />
    </Drawing>
  );
}

export function InfoIcon(props: Size) {
  return (
    <Drawing {...props}>
      <circle cx="12" cy="12" r="10" />
      <path d="M12 16v-4" />
      <path d="M12 8h.01" />
    </Drawing>
  );
}

export function WarningIcon(props: Size) {
  return (
    <Drawing {...props}>
      <path d="m21.73 18-8-14a2 2 0 0 0-3.48 0l-8 14A2 2 0 0 0 4 21h16a2 2 0 0 0 1.73-3" />
      <path d="M12 9v4" />
      <path d="M12 17h.01" />
    </Drawing>
  );
}

export function SuccessIcon(props: Size) {
  return (
    <Drawing {...props}>
      <circle cx="12" cy="12" r="10" />
      <path d="m9 12 2 2 4-4" />
    </Drawing>
  );
}

export function CopyIcon(props: Size) {
  return (
    <Drawing {...props}>
      <rect width="14" height="14" x="8" y="8" rx="2" ry="2" />
      <path d="M4 16c-1.1 0-2-.9-2-2V4c0-1.1.9-2 2-2h10c1.1 0 2 .9 2 2" />
    </Drawing>
  );
}

export function DownloadIcon(props: Size) {
  return (
    <Drawing {...props}>
      <path d="M12 15V3" />
      <path d="M21 15v4a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2v-4" />
      <path d="m7 10 5 5 5-5" />
    </Drawing>
  );
}

export function PrintIcon(props: Size) {
  return (
    <Drawing {...props}>
      <path d="M6 18H4a2 2 0 0 1-2-2v-5a2 2 0 0 1 2-2h16a2 2 0 0 1 2 2v5a2 2 0 0 1-2 2h-2" />
      <path d="M6 9V3a1 1 0 0 1 1-1h10a1 1 0 0 1 1 1v6" />
      <rect x="6" y="14" width="12" height="8" rx="1" />
    </Drawing>
  );
}
