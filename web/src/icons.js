// Small pictures of buttons, drawn here.
const svg = (inner) => `<svg viewBox="0 0 24 24" width="20" height="20" fill="none" stroke="currentColor" stroke-width="1.8" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">${inner}</svg>`;
export const icons = {
  play: svg('<path d="M8 5.5v13l11-6.5z" fill="currentColor" stroke="none"/>'),
  pause: svg('<path d="M7.5 5.5h3v13h-3zM13.5 5.5h3v13h-3z" fill="currentColor" stroke="none"/>'),
  trail: svg('<path d="M4 18c3-9 6 2 9-5 1.6-3.8 3-5 5.5-6"/><circle cx="19" cy="6.5" r="1.8" fill="currentColor"/>'),
  force: svg('<path d="M5 19 17.5 6.5M10.5 6h7.500v7.500"/>'),
  longer: svg('<path d="M5 19 19 5M12 5h7v7"/><path d="M4 8h6M7 5v6"/>'),
  shorter: svg('<path d="M9 15 16 8M11 8h5v5"/><path d="M4 8h6"/>'),
  follow: svg('<circle cx="12" cy="12" r="3.2"/><path d="M12 3.500v3M12 17.500v3M3.500 12h3M17.500 12h3"/>'),
  home: svg('<path d="M4 9V4.500h4.500M20 9V4.500h-4.500M4 15v4.500h4.500M20 15v4.500h-4.500"/>'),
  sun: svg('<circle cx="12" cy="12" r="3.8"/><path d="M12 3v2M12 19v2M3 12h2M19 12h2M5.600 5.600 7 7M17 17l1.400 1.400M18.400 5.600 17 7M7 17l-1.400 1.400"/>'),
  moon: svg('<path d="M19.500 14.500A8 8 0 0 1 9.500 4.500a8 8 0 1 0 10 10z"/>'),
};
