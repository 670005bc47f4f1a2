// kernels.go: the parts of a step outside BLAS: pairs of forward and backward functions on slices.
// SPDX-License-Identifier: MIT

package main

import "math"

const rmsnormEpsilon = 1e-5

// exp is e^x with a relative error of at most 3e-7 for x in [-60, 60], and the value at the limit outside.
func exp(x float32) float32 {
	const round = 12582912 // 1.5 * 2^23: adding it rounds to a whole number
	if x < -60 {
		x = -60
	}
	if x > 60 {
		x = 60
	}
	shifted := x*math.Log2E + round
	n := shifted - round
	r := (x - n*0.693359375) - n*-2.12194440e-4
	s := float32(1.0 / 5040)
	s = s*r + 1.0/720
	s = s*r + 1.0/120
	s = s*r + 1.0/24
	s = s*r + 1.0/6
	s = s*r + 0.5
	s = s*r + 1
	s = s*r + 1
	return s * math.Float32frombits((math.Float32bits(shifted)+127)<<23)
}

func sigmoid(x float32) float32 {
	return 1 / (1 + exp(-x))
}

func sqrt(x float32) float32 {
	return float32(math.Sqrt(float64(x)))
}

func zero(x []float32) {
	for i := range x {
		x[i] = 0
	}
}

func dot(x, y []float32) float32 {
	var sum float32
	y = y[:len(x)]
	for i, value := range x {
		sum += value * y[i]
	}
	return sum
}

// add computes y += factor * x.
func add(y, x []float32, factor float32) {
	y = y[:len(x)]
	for i, value := range x {
		y[i] += factor * value
	}
}

func rmsnormForward(y, scale, x, gain []float32) {
	cols := len(gain)
	for r := range scale {
		x, y := x[r*cols:(r+1)*cols], y[r*cols:(r+1)*cols]
		factor := 1 / sqrt(dot(x, x)/float32(cols)+rmsnormEpsilon)
		scale[r] = factor
		for c, value := range x {
			y[c] = value * factor * gain[c]
		}
	}
}

// rmsnormBackward adds to dX and to dGain.
func rmsnormBackward(dX, dGain, dY, x, scale, gain []float32) {
	cols := len(gain)
	for r, factor := range scale {
		x, dX, dY := x[r*cols:(r+1)*cols], dX[r*cols:(r+1)*cols], dY[r*cols:(r+1)*cols]
		var mean float32
		for c, value := range x {
			part := dY[c] * value * factor
			dGain[c] += part
			mean += part * gain[c]
		}
		mean = mean / float32(cols) * factor
		for c, value := range x {
			dX[c] += factor * (dY[c]*gain[c] - value*mean)
		}
	}
}

// softmax works in place, and returns the sum that it divided by and the largest value.
func softmax(x []float32) (sum, largest float32) {
	largest = x[0]
	for _, value := range x {
		if value > largest {
			largest = value
		}
	}
	for i, value := range x {
		e := exp(value - largest)
		x[i] = e
		sum += e
	}
	factor := 1 / sum
	for i := range x {
		x[i] *= factor
	}
	return sum, largest
}

// causalSoftmaxForward computes the softmax of row r over columns 0..r; the columns after r become 0.
func causalSoftmaxForward(x []float32, rows int) {
	for r := 0; r < rows; r++ {
		row := x[r*rows : (r+1)*rows]
		softmax(row[:r+1])
		zero(row[r+1:])
	}
}

// causalSoftmaxBackward turns the gradient by softmax's output y into that by its input.
func causalSoftmaxBackward(d, y []float32, rows int) {
	for r := 0; r < rows; r++ {
		row, y := d[r*rows:(r+1)*rows], y[r*rows:(r+1)*rows]
		mean := dot(row[:r+1], y)
		for c := 0; c <= r; c++ {
			row[c] = y[c] * (row[c] - mean)
		}
		zero(row[r+1:])
	}
}

// swigluForward computes y = weight * silu(gate) * up.
func swigluForward(y, gate, up []float32, weight float32) {
	y, up = y[:len(gate)], up[:len(gate)]
	for i, g := range gate {
		y[i] = weight * g * sigmoid(g) * up[i]
	}
}

// swigluBackward returns the gradient by the weight.
func swigluBackward(dGate, dUp, dY, gate, up []float32, weight float32) float32 {
	var sum float32
	dGate, dUp, dY, up = dGate[:len(gate)], dUp[:len(gate)], dY[:len(gate)], up[:len(gate)]
	for i, g := range gate {
		s := sigmoid(g)
		silu, d := g*s, dY[i]*weight
		sum += dY[i] * silu * up[i]
		dUp[i] = d * silu
		dGate[i] = d * up[i] * (s + silu*(1-s))
	}
	return sum
}

// crossEntropyForward turns logits into probabilities; it returns the mean over rows of
// -ln(probability of the target).
func crossEntropyForward(x []float32, targets []byte) float64 {
	cols, loss := len(x)/len(targets), 0.0
	for r, target := range targets {
		row := x[r*cols : (r+1)*cols]
		wanted := row[target]
		sum, largest := softmax(row)
		loss += math.Log(float64(sum)) - float64(wanted-largest)
	}
	return loss / float64(len(targets))
}

// crossEntropyBackward turns the probabilities into the gradient by the logits.
func crossEntropyBackward(x []float32, targets []byte) {
	cols := len(x) / len(targets)
	for r, target := range targets {
		x[r*cols+int(target)]--
	}
	factor := 1 / float32(len(targets))
	for i := range x {
		x[i] *= factor
	}
}

// flush returns zero if x is negligibly near to zero.
func flush(x, least float32) float32 {
	if x < least && x > -least {
		return 0
	}
	return x
}

// adamwUpdate is Loshchilov and Hutter, "Decoupled weight decay regularization", ICLR 2019,
// algorithm 2.
func adamwUpdate(x, m, v, g []float32, rate, decay float32, step int) {
	const beta1, beta2, epsilon = 0.9, 0.99, 1e-8
	corrected := rate / float32(1-math.Pow(beta1, float64(step)))
	correction := 1 / float32(1-math.Pow(beta2, float64(step)))
	keep := 1 - rate*decay
	m, v, g = m[:len(x)], v[:len(x)], g[:len(x)]
	for i := range x {
		d := flush(g[i], 1e-15)
		mean := flush(beta1*m[i]+(1-beta1)*d, 1e-20)
		square := flush(beta2*v[i]+(1-beta2)*d*d, 1e-30)
		m[i], v[i] = mean, square
		x[i] = keep*x[i] - corrected*mean/(sqrt(square*correction)+epsilon)
	}
}
