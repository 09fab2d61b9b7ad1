// An emulated Raspberry Pi Pico that boots MicroPython, with the dice tower's parts on its pins.
//   node emulated_pico.mjs MATERIAL/pico NODE_MODULES IMAGE.uf2 SERIAL_PORT CONTROL_PORT
// Serial speaks to mpremote and pyserial as socket://127.0.0.1:SERIAL_PORT. The control port takes lines as the
// Unix port's `machine.py` does: `PIN LEVEL`, `BREAK PIN`, `ADC PIN VALUE` and `SENSOR POCKET CHANNEL VALUE` (values of 16
// bits); `CLEAR` takes all that was played back. It prints the bytes of each command to the readout, in hexadecimal, a line each.
import fs from 'fs';
import net from 'net';
import path from 'path';
import { pathToFileURL } from 'url';

const [material, modules, uf2, serialPort, controlPort] = process.argv.slice(2);
const load = file => import(pathToFileURL(path.resolve(file)).href);
const { Simulator, USBCDC, ConsoleLogger, LogLevel } = await load(`${modules}/rp2040js/dist/esm/index.js`);
const { installRom } = await load(`${material}/bootrom.mjs`);

const BEAMS = [2, 3, 4];
const SELECT = [6, 7, 8, 9], EMITTERS_A_POCKET = 11, AMBIENT = 11, FIRST_ADC = 26, UNLIT = 300;
const sim = new Simulator();
const mcu = sim.rp2040;
mcu.logger = new ConsoleLogger(LogLevel.Error);
installRom(mcu);
const image = fs.readFileSync(uf2);
for (let i = 0; i < image.length; i += 512) {
  const block = image.subarray(i, i + 512);
  mcu.flash.set(block.subarray(32, 32 + block.readUInt32LE(16)), block.readUInt32LE(12) - 0x10000000);
}

const cdc = new USBCDC(mcu.usbCtrl);
let peer = null;
cdc.onSerialData = bytes => peer && peer.write(Buffer.from(bytes));
net.createServer(socket => {
  peer = socket;
  socket.setNoDelay(true);
  socket.on('data', data => { for (const byte of data) cdc.sendSerialByte(byte); });
  socket.on('close', () => { if (peer === socket) peer = null; });
  socket.on('error', () => {});
}).listen(Number(serialPort), '127.0.0.1');

let emitters = 0;
const sensors = new Map(), plain = [0, 0, 0, 0, 0];
const reads = converter => {
  if (converter > 1 || sensors.size === 0) return plain[converter];
  const channel = SELECT.reduce((sum, pin, bit) => sum | (mcu.gpio[pin].value === 1 ? 1 << bit : 0), 0);
  const value = sensors.get(`${converter} ${channel}`) ?? 0;
  if (channel === AMBIENT) return value;
  return UNLIT + (emitters >> (converter * EMITTERS_A_POCKET + channel) & 1 ? value : 0);
};
for (let k = 0; k < 5; k++) Object.defineProperty(mcu.adc.channelValues, k, { get: () => reads(k) >> 4 });

const BREAK_NS = 8e6;
let freeAt = 0;
const breakBeam = pin => {
  const start = Math.max(freeAt, mcu.clock.nanos), after = at => at - mcu.clock.nanos;
  freeAt = start + 2 * BREAK_NS;
  mcu.clock.createAlarm(() => mcu.gpio[pin].setInputValue(false)).schedule(after(start) + 1000);
  mcu.clock.createAlarm(() => mcu.gpio[pin].setInputValue(true)).schedule(after(start) + BREAK_NS);
};
let control = null, command = [];
mcu.gpio[17].addListener(state => {
  if (state === 1 && command.length) {
    if (control) control.write(Buffer.from(command).toString('hex') + '\n');
    command = [];
  }
});
mcu.spi[0].onTransmit = value => { command.push(value); mcu.spi[0].completeTransmit(0); };
mcu.spi[1].onTransmit = value => { emitters = (emitters << 8 | value) & 0xffffff; mcu.spi[1].completeTransmit(0); };

net.createServer(socket => {
  control = socket;
  let kept = '';
  socket.on('data', data => {
    const lines = (kept + data).split('\n');
    kept = lines.pop();
    for (const line of lines) {
      const words = line.trim().split(/\s+/);
      if (words[0] === 'CLEAR') {
        sensors.clear();
        BEAMS.forEach(pin => mcu.gpio[pin].setInputValue(true));
      } else if (words[0] === 'ADC') plain[Number(words[1]) - FIRST_ADC] = Number(words[2]);
      else if (words[0] === 'SENSOR') sensors.set(`${words[1]} ${words[2]}`, Number(words[3]));
      else if (words[0] === 'BREAK') breakBeam(Number(words[1]));
      else mcu.gpio[Number(words[0])].setInputValue(words[1] !== '0');
    }
  });
  socket.on('error', () => {});
}).listen(Number(controlPort), '127.0.0.1', () => console.log('ready'));
BEAMS.forEach(pin => mcu.gpio[pin].setInputValue(true));
mcu.core.PC = 0x10000000;

// As `sim.execute`, which looks at its sockets after a million instructions: whoever talks to the chip waits for that at
// every word. Here it is after so many, and as there after so many cycles in which the chip slept.
const INSTRUCTIONS_AT_ONCE = 50000, CYCLES_AT_ONCE = 1000000, CYCLE_NS = 8;
const execute = () => {
  let slept = 0;
  for (let i = 0; i < INSTRUCTIONS_AT_ONCE && slept < CYCLES_AT_ONCE; i++) {
    if (mcu.core.waiting) {
      const { nanosToNextAlarm } = sim.clock;
      sim.clock.tick(nanosToNextAlarm);
      slept += nanosToNextAlarm / CYCLE_NS;
    } else sim.clock.tick(mcu.core.executeInstruction() * CYCLE_NS);
  }
  // A chip that sleeps does not run ahead of those who talk to it.
  if (slept) setTimeout(execute, 0);
  else setImmediate(execute);
};
execute();
