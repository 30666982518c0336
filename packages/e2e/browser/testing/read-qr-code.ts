import jsQR from 'jsqr';
import type { Locator } from 'playwright-core';

/** Reads the QR code in a screenshot of the element, as a phone's camera would. */
export async function readQrCode(element: Locator): Promise<string> {
  const picture = await element.screenshot();
  const browser = element.page().context().browser();
  if (browser === null) throw new Error('the page is in no browser');
  const canvas = await browser.newPage();
  const { width, height, pixels } = await canvas.evaluate(async (base64) => {
    const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
    const image = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
    const drawing = new OffscreenCanvas(image.width, image.height).getContext('2d');
    drawing?.drawImage(image, 0, 0);
    const data = drawing?.getImageData(0, 0, image.width, image.height).data ?? [];
    return { width: image.width, height: image.height, pixels: [...data] };
  }, picture.toString('base64'));
  await canvas.close();
  const code = jsQR.default(Uint8ClampedArray.from(pixels), width, height);
  if (code === null) throw new Error('there is no QR code in the picture');
  return code.data;
}
