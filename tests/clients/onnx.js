// onnx.js: runs a model in ONNX Runtime, and prints the CPU time of products by its own profile and that of the process.
// SPDX-License-Identifier: MIT
//
// The model is encoded here, following onnx.proto of github.com/onnx/onnx: two layers of a transformer, and convolutions.
// Arguments: number of runs, number of threads.
'use strict';
const fs = require('fs');
const ort = require('onnxruntime-node');

const ROWS = 512, WIDTH = 512, SIDE = 64, CHANNELS = 32;
const FLOAT = 1, INTEGER = 2, INTEGERS = 7; // types of a tensor and of attributes

function varint(value) {
	const bytes = [];
	for (; value > 127; value = Math.floor(value / 128))
		bytes.push(value % 128 + 128);
	return Buffer.from([...bytes, value]);
}
const join = Buffer.concat;
const number = (field, value) => join([varint(field * 8), varint(value)]);
function part(field, content) {
	const bytes = Buffer.from(content);
	return join([varint(field * 8 + 2), varint(bytes.length), bytes]);
}

function tensorOf(name, shape) {
	const length = shape.reduce((product, size) => product * size, 1);
	const numbers = Float32Array.from({ length }, (_, i) => (i * 7919 % 997 / 997 - 0.5) / 5);
	return join([...shape.map(size => number(1, size)), number(2, FLOAT), part(8, name),
		part(9, new Uint8Array(numbers.buffer))]);
}
function valueOf(name, shape) {
	const sizes = join(shape.map(size => part(1, number(1, size))));
	return join([part(1, name), part(2, part(1, join([number(1, FLOAT), part(2, sizes)])))]);
}

const nodes = [], weights = [];
function add(operation, inputs, output, attributes = {}) {
	nodes.push(part(1, join([...inputs.map(input => part(1, input)), part(2, output), part(3, output),
		part(4, operation), ...Object.entries(attributes).map(([name, value]) => part(5, join([part(1, name),
			...(Array.isArray(value) ? [...value.map(each => number(8, each)), number(20, INTEGERS)]
				: [number(3, value), number(20, INTEGER)])])))])));
	return output;
}
function weight(name, shape) {
	weights.push(part(5, tensorOf(name, shape)));
	return name;
}

function addLayer(layer, input) {
	const own = name => `${name}${layer}`;
	const multiply = (left, name, rows, columns) =>
		add('MatMul', [left, weight(own(`weight_${name}`), [rows, columns])], own(name));
	const norm = add('LayerNormalization', [input, weight(own('gain'), [WIDTH]), weight(own('bias'), [WIDTH])], own('norm'));
	const [query, key, value] = ['query', 'key', 'value'].map(name => multiply(norm, name, WIDTH, WIDTH));
	const turned = add('Transpose', [key], own('turned'), { perm: [0, 2, 1] });
	const shares = add('Softmax', [add('MatMul', [query, turned], own('scores'))], own('shares'));
	const mixed = multiply(add('MatMul', [shares, value], own('context')), 'mixed', WIDTH, WIDTH);
	const sum = add('Add', [mixed, input], own('sum'));
	const hidden = add('Gelu', [multiply(sum, 'hidden', WIDTH, 4 * WIDTH)], own('gelu'));
	return add('Add', [multiply(hidden, 'down', 4 * WIDTH, WIDTH), sum], own('out'));
}

function addConvolutions(input) {
	const convolve = (name, from, channels, size) => add('Conv', [from, weight(`filter_${name}`, [CHANNELS, channels, size, size])],
		name, { kernel_shape: [size, size], pads: Array(4).fill((size - 1) / 2) });
	const first = add('Softplus', [convolve('first', input, 3, 3)], 'first_softplus');
	return convolve('third', add('Relu', [convolve('second', first, CHANNELS, 3)], 'relu'), CHANNELS, 1);
}

const shapes = { rows: [1, ROWS, WIDTH], image: [1, 3, SIDE, SIDE] };
const ends = { [addLayer(1, addLayer(0, 'rows'))]: shapes.rows, [addConvolutions('image')]: [1, CHANNELS, SIDE, SIDE] };
const values = (field, table) => Object.entries(table).map(([name, shape]) => part(field, valueOf(name, shape)));
const graph = join([...nodes, part(2, 'test'), ...weights, ...values(11, shapes), ...values(12, ends)]);
const model = join([number(1, 9), part(8, join([part(1, ''), number(2, 20)])), part(7, graph)]);

// CPU time of the thread that runs the model, in ns
const cpuTime = () => Number(fs.readFileSync('/proc/thread-self/schedstat', 'ascii').split(' ')[0]);

async function main() {
	const session = await ort.InferenceSession.create(model, { intraOpNumThreads: Number(process.argv[3]), interOpNumThreads: 1,
		enableProfiling: true, profileFilePrefix: 'profile' });
	const inputs = {};
	for (const [name, shape] of Object.entries(shapes)) {
		const length = shape.reduce((product, size) => product * size, 1);
		inputs[name] = new ort.Tensor('float32', Float32Array.from({ length }, (_, i) => Math.sin(i)), shape);
	}
	const before = cpuTime(), start = process.hrtime.bigint();
	for (let run = 0; run < Number(process.argv[2]); run++)
		await session.run(inputs);
	const ran = (cpuTime() - before) / Number(process.hrtime.bigint() - start);
	session.endProfiling();
	let matrix = 0;
	for (const name of fs.readdirSync('.').filter(file => file.startsWith('profile'))) {
		for (const event of JSON.parse(fs.readFileSync(name)))
			if (event.cat === 'Node' && event.name.endsWith('_kernel_time'))
				matrix += /MatMul|Gemm|Conv/.test(event.args.op_name) ? event.dur : 0;
		fs.unlinkSync(name);
	}
	const { user, system } = process.cpuUsage();
	// the profile has wall times
	console.log(Math.round(matrix * ran), user + system);
}
main();
