import { setTimeout as pause } from 'node:timers/promises';
import { base32Bytes, totpCode } from '@gatehouse/auth-core/testing';
import jsQR from 'jsqr';
import type { Page } from 'playwright-core';

const STEP_MS = 30_000;
/** How long a code stays valid at least: a slow machine needs seconds until it has entered it. */
const VALID_MS_MIN = 15_000;

/** An authenticator app that has scanned this URI. Each call gives another code, as a code can be used only once. */
export function phone(otpAuthUri: string): { nextCode: () => Promise<string> } {
  const { protocol, host, searchParams } = new URL(otpAuthUri);
  if (protocol !== 'otpauth:' || host !== 'totp') throw new Error(`no authenticator takes ${protocol}`);
  const secret = base32Bytes(searchParams.get('secret') ?? '');
  const stepAt = (time: number): number => Math.floor(time / STEP_MS);
  let step = 0;
  return {
    nextCode: async () => {
      // The services accept codes that are one step early or late.
      step = Math.max(step + 1, stepAt(Date.now() + VALID_MS_MIN) - 1);
      while (step > stepAt(Date.now()) + 1) await pause(100);
      return totpCode(secret, step * STEP_MS);
    },
  };
}

export async function scanQrCode(page: Page) {
  const picture = await page.getByRole('img', { name: /QR/ }).screenshot();
  const { width, height, pixels } = await page.evaluate(async (base64) => {
    const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
    const image = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
    const drawing = new OffscreenCanvas(image.width, image.height).getContext('2d');
    drawing?.drawImage(image, 0, 0);
    const data = drawing?.getImageData(0, 0, image.width, image.height).data ?? [];
    return { width: image.width, height: image.height, pixels: [...data] };
  }, picture.toString('base64'));
  const code = jsQR.default(Uint8ClampedArray.from(pixels), width, height);
  if (code === null) throw new Error('there is no QR code in the picture');
  return phone(code.data);
}
