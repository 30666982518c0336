const SKINS = ['#f6d7c3', '#eec1a0', '#d9a47c', '#b97f56', '#8f5b3a', '#5f3b27'];
const HAIRS = ['#20191a', '#3d2b23', '#6b4a2f', '#a8763e', '#d8b26a', '#8d8d90', '#7a2f22'];
const CLOTHES = ['#2f5d8a', '#7a3e6d', '#3f7d5a', '#a4503c', '#4b4f63', '#c08a2e'];
const ROOMS = ['#dfe8f1', '#efe4d6', '#e2ecdf', '#e9e1ef', '#d8dde6', '#f1ece2'];

/**
 * A face as SVG. A person looks the same in every picture, except for light, posture and position. Faces are drawn so
 * that nobody needs photographs of real people.
 */
export function drawFace({ person, picture, isBlurry }) {
  const who = createRandom(person * 7919 + 17);
  const when = createRandom(person * 104_729 + picture * 31 + 5);
  const face = drawHead(who);
  const turn = when.whole(-9, 9);
  const scale = 0.88 + when.next() * 0.2;
  const shift = `${when.whole(-8, 8)} ${when.whole(-4, 8)}`;
  const blur = isBlurry ? `<filter id="b"><feGaussianBlur stdDeviation="${when.whole(4, 7)}"/></filter>` : '';
  const light = 0.05 + when.next() * 0.2;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 160 160" width="160" height="160">${blur}
<rect width="160" height="160" fill="${when.pick(ROOMS)}"/>
<g${isBlurry ? ' filter="url(#b)"' : ''}><g transform="translate(${shift}) rotate(${turn} 80 90) translate(80 80) scale(${scale.toFixed(2)}) translate(-80 -80)">
${face}</g></g>
<rect width="160" height="160" fill="${when.pick(['#000', '#fff', '#f80'])}" opacity="${light.toFixed(2)}"/>
</svg>
`;
}

function drawHead(who) {
  const skin = who.pick(SKINS);
  const hair = who.pick(HAIRS);
  const width = who.whole(34, 40);
  const eyes = who.whole(13, 17);
  const style = who.whole(0, 4);
  const hasGlasses = who.isLucky(0.3);
  const hasBeard = style < 3 && who.isLucky(0.35);
  const nose = who.whole(8, 13);
  const smile = who.whole(2, 9);
  const iris = who.pick(['#3b2a1e', '#4a6a8a', '#4f6b46', '#5a4632']);
  const back =
    style > 2
      ? `<path d="M${80 - width - 8} 78Q80 0 ${80 + width + 8} 78V128H${80 - width - 8}Z" fill="${hair}"/>`
      : '';
  return `${back}<path d="M14 220Q18 126 80 122Q142 126 146 220Z" fill="${who.pick(CLOTHES)}"/>
<path d="M67 104H93V126Q80 136 67 126Z" fill="${skin}"/><path d="M67 112Q80 124 93 112V118Q80 128 67 118Z" opacity=".15"/>
<ellipse cx="${80 - width}" cy="82" rx="6" ry="10" fill="${skin}"/><ellipse cx="${80 + width}" cy="82" rx="6" ry="10" fill="${skin}"/>
<ellipse cx="80" cy="78" rx="${width}" ry="46" fill="${skin}"/>
${hasBeard ? `<path d="M${80 - width} 84Q${80 - width} 126 80 126Q${80 + width} 126 ${80 + width} 84Q${80 + width - 8} 100 94 98Q80 92 66 98Q${80 - width + 8} 100 ${80 - width} 84Z" fill="${hair}" opacity=".9"/>` : ''}
${eye(80 - eyes, iris, hair)}${eye(80 + eyes, iris, hair)}
<path d="M80 76Q${80 - nose / 2} ${86 + nose / 3} 80 ${86 + nose / 2}" fill="none" stroke="#000" stroke-opacity=".3" stroke-width="2.2" stroke-linecap="round"/>
<path d="M68 104Q80 ${104 + smile} 92 104" fill="none" stroke="#8c3b3b" stroke-width="3.2" stroke-linecap="round"/>
${hasGlasses ? glasses(eyes) : ''}${fringe(style, width, hair)}`;
}

function eye(x, iris, brow) {
  return `<ellipse cx="${x}" cy="76" rx="6" ry="4" fill="#fff"/><circle cx="${x}" cy="76" r="3.1" fill="${iris}"/><path d="M${x - 8} 66Q${x} 62 ${x + 8} 66" fill="none" stroke="${brow}" stroke-width="2.6" stroke-linecap="round"/>`;
}

function glasses(eyes) {
  const lens = (x) =>
    `<rect x="${x - 11}" y="67" width="22" height="18" rx="7" fill="#fff" fill-opacity=".15" stroke="#222" stroke-width="2"/>`;
  return `${lens(80 - eyes)}${lens(80 + eyes)}<path d="M${80 - eyes + 11} 75H${80 + eyes - 11}" stroke="#222" stroke-width="2"/>`;
}

function fringe(style, width, hair) {
  const [left, right] = [80 - width - 3, 80 + width + 3];
  switch (style) {
    case 0: // Short.
      return `<path d="M${left} 72Q${left} 26 80 26Q${right} 26 ${right} 72Q${right - 8} 48 80 46Q${left + 8} 48 ${left} 72Z" fill="${hair}"/>`;
    case 1: // Parted.
      return `<path d="M${left} 76Q${left} 24 84 26Q${right} 28 ${right} 74Q${right - 6} 56 ${right - 14} 50Q70 54 62 42Q${left + 6} 52 ${left} 76Z" fill="${hair}"/>`;
    case 2: // Thin on top.
      return `<path d="M${left} 82Q${left - 2} 54 ${left + 12} 48Q${left + 5} 62 ${left + 4} 82Z" fill="${hair}"/><path d="M${right} 82Q${right + 2} 54 ${right - 12} 48Q${right - 5} 62 ${right - 4} 82Z" fill="${hair}"/>`;
    case 3: // Long, with a fringe.
      return `<path d="M${left} 84Q${left - 2} 24 80 24Q${right + 2} 24 ${right} 84Q${right - 4} 58 ${right - 10} 56H${left + 10}Q${left + 4} 58 ${left} 84Z" fill="${hair}"/>`;
    default: // Long, to the side.
      return `<path d="M${left} 88Q${left - 4} 24 78 24Q${right + 4} 24 ${right} 88Q${right - 3} 60 92 40Q72 58 ${left + 8} 60Q${left + 2} 66 ${left} 88Z" fill="${hair}"/>`;
  }
}

/** Pseudorandom choices that are the same in every run: a small generator (mulberry32). */
function createRandom(seed) {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const whole = (least, most) => least + Math.floor(next() * (most - least + 1));
  return {
    next,
    whole,
    isLucky: (share) => next() < share,
    pick: (list) => list[whole(0, list.length - 1)],
  };
}
